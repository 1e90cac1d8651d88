/**
 * What the program says of recorded sessions at a cut (next step, decisions, open work, what failed, phase, files) next to the labels of two
 * readers: `npm run lab -- bench state --labels DIR [--half 0|1] [--pairs FILE] [--verdicts FILE] [--entries DIR]`.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { hasCorpus } from "./corpus.ts";
import { parseFile, readLabels } from "./state/labels.ts";
import { readCut } from "./state/read-cut.ts";
import { sayState } from "./state/say-state.ts";
import { listPairs, renderPlainScores, renderScores } from "./state/score.ts";
import { writeEntries } from "./state/write-entries.ts";

const LABELS = path.resolve(import.meta.dirname, "state/labels");
const SHOWN_CHARACTERS = 200;

export function run(options: readonly string[] = []): void {
  const value = (name: string): string | undefined => {
    const at = options.indexOf(`--${name}`);
    return at < 0 ? undefined : options[at + 1];
  };
  const half = value("half") === undefined ? undefined : Number(value("half"));
  const entries = value("entries");
  if (!hasCorpus) return;
  if (entries !== undefined) {
    for (const line of writeEntries(entries, half ?? 0)) console.log(line);
    return;
  }
  const cuts = readLabels(value("labels") ?? LABELS).filter((cut) => half === undefined || cut.half === half);
  if (cuts.length === 0) {
    console.log("No labels: name a folder with index.json, A/NN.json and B/NN.json with --labels.");
    return;
  }
  const answers = cuts.map((cut) => ({ cut, said: sayState(readCut(cut)) }));
  const pairs = value("pairs");
  const verdicts = value("verdicts");
  if (pairs !== undefined) writeFileSync(pairs, `${JSON.stringify(listPairs(answers), undefined, 1)}\n`);
  if (verdicts === undefined) for (const answer of answers) console.log(renderAnswer(answer));
  const scores = verdicts === undefined ? [] : renderScores(answers, parseFile(verdicts));
  for (const line of [...renderPlainScores(answers), ...scores]) console.log(line);
}

function renderAnswer({ cut, said }: Parameters<typeof renderPlainScores>[0][number]): string {
  const list = (name: string, lines: readonly string[]): readonly string[] =>
    lines.map((line) => `  ${name}: ${line.replace(/\s+/g, " ").slice(0, SHOWN_CHARACTERS)}`);
  const [one, other] = cut.labels ?? [];
  return [
    `\n${cut.k} ${cut.file} after line ${cut.cutLine}`,
    `  next (${said.kind}): ${said.next}`,
    ...list("  A", one ? [one.next] : []),
    ...list("  B", other ? [other.next] : []),
    `  phase: ${said.phase}; A ${one?.phases.join(", ")}; B ${other?.phases.join(", ")}`,
    ...list("open", said.open),
    ...list("decided", said.decisions),
    ...list("failed", said.failed),
    `  files: ${said.files.length}; A ${one?.files.length}, B ${other?.files.length}`,
  ].join("\n");
}
