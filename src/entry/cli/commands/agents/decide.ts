import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import {
  type CompactionDecision,
  decideCompaction,
  parseStage,
  STAGES,
  type Stage,
} from "../../../../policy/advice/decide-compaction.ts";
import { describeBoundary } from "../../../../policy/advice/find-boundary.ts";
import { findTransition } from "../../../../session/phase.ts";
import { CliError, type Command, defineCommand, hintAt, type Invocation, type Terminal } from "../../command.ts";
import { paint } from "../../print/style.ts";
import { chooseTranscript, readHappened, SESSION_OPTIONS } from "../../require-session.ts";

export const decideCommand: Command = defineCommand({
  name: "decide",
  summary: "Says whether it is safe to compact between two phases of work",
  positional: {
    name: "FROM TO",
    help: `the phase that ends and the next phase; choose from: ${STAGES.join(", ")}; without them, what the session shows`,
  },
  options: {
    ...SESSION_OPTIONS,
    "plan-file": { value: "FILE", help: "the file with the plan; by default any .plimsoll/plan-*.md" },
    "file-complete": { help: "confirm that the current file is fully written" },
    "tests-pass": { help: "confirm that the current file's tests pass" },
  },
  examples: {
    "plimsoll decide": "answers for the boundary that the newest session has reached, or says that it is not known",
    "plimsoll decide research planning": "answers YES, and lists what survives and what is lost",
    "plimsoll decide planning implementation --plan-file .plimsoll/plan-auth.md": "answers YES if the plan file exists",
    "plimsoll decide implementation implementation --file-complete --tests-pass":
      "answers YES between two files; without the two flags, the answer is CONDITIONAL",
    "plimsoll decide quality verify --json": "prints NO and the reason as JSON",
  },
  run(invocation, terminal) {
    const [from, to, ...more] = invocation.positionals;
    if (from === undefined) return decideHere(invocation, terminal);
    if (to === undefined || more.length > 0)
      throw new CliError("plimsoll decide takes two phases, such as: plimsoll decide research planning");
    const ends = { from: requireStage(from), to: requireStage(to) };
    const decision = decideCompaction(ends.from, ends.to, {
      hasPlanFile: hasPlanFile(invocation, terminal),
      // An absent flag means unknown; it does not say that the file is in the middle of an edit.
      ...(invocation.flags.has("file-complete") && { isFileComplete: true }),
      ...(invocation.flags.has("tests-pass") && { doTestsPass: true }),
    });
    return { json: { ...ends, ...decision }, text: () => renderDecision(decision, terminal) };
  },
});

const NOT_KNOWN =
  "not known: the session does not show plainly which phase ends here. Name both phases, such as: plimsoll decide research planning";

function decideHere(invocation: Invocation, terminal: Terminal) {
  const happened = readHappened(chooseTranscript(invocation, terminal));
  const boundary = describeBoundary(happened);
  const stands = `boundary: ${boundary}`;
  const [from, to] = findTransition(happened.state.phase) ?? [];
  if (from === undefined || to === undefined)
    return { json: { from: null, to: null, verdict: null, boundary }, text: () => `${NOT_KNOWN}\n${stands}` };
  const decision = decideCompaction(from, to, { hasPlanFile: hasPlanFile(invocation, terminal) });
  return {
    json: { from, to, boundary, ...decision },
    text: () => `${from} → ${to}\n${renderDecision(decision, terminal)}\n${stands}`,
  };
}

function requireStage(word: string): Stage {
  const stage = parseStage(word);
  if (stage !== undefined) return stage;
  throw new CliError(`there is no phase "${word}": ${hintAt(word.toLowerCase(), STAGES)}`);
}

function hasPlanFile({ values }: Invocation, { directory }: Terminal): boolean {
  const given = values.get("plan-file");
  if (given !== undefined) return existsSync(path.resolve(directory, given));
  const folder = path.join(directory, ".plimsoll");
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith("plan-") && name.endsWith(".md"));
}

function renderDecision({ verdict, why, survives, lost }: CompactionDecision, terminal: Terminal): string {
  const tone = { YES: "green", NO: "red", CONDITIONAL: "yellow" } as const;
  return [
    `${paint(terminal, tone[verdict], verdict)}: ${why}`,
    `survives: ${survives.join(", ")}`,
    `lost: ${lost.join(", ")}`,
  ].join("\n");
}
