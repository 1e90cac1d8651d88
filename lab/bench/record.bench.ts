/** The compaction record beside the summary that the client's model wrote, at every recorded compaction. */
import path from "node:path";
import { hasCorpus, listCorpus } from "./corpus.ts";
import { type Evaluation, evaluateBoundary, findBoundaries, type Tally } from "./evaluate-record.ts";
import { median } from "./measure.ts";

const BUDGETS: readonly number[] = [12_000, 6000];

export function run(): void {
  if (!hasCorpus) console.log("No recorded sessions: nothing to compare with.");
  for (const budgetTokens of hasCorpus ? BUDGETS : []) {
    const rows = listCorpus().flatMap((file) =>
      [...findBoundaries(file)].map((boundary) => ({
        repository: path.basename(path.dirname(file)),
        file: path.basename(file),
        evaluation: evaluateBoundary(boundary, budgetTokens),
      })),
    );
    const repositories = [...new Set(rows.map(({ repository }) => repository))].sort();
    const halves = [0, 1].map((half) => rows.filter((row) => repositories.indexOf(row.repository) % 2 === half));
    console.log(`\nbudget ${budgetTokens}: ${rows.length} compactions of ${repositories.length} repositories`);
    report(
      "all",
      rows.map(({ evaluation }) => evaluation),
    );
    for (const [half, part] of halves.entries())
      report(
        `repositories, half ${half + 1}`,
        part.map(({ evaluation }) => evaluation),
      );
    reportContinuations(rows.map(({ evaluation }) => evaluation));
    const times = rows.map(({ evaluation }) => evaluation.tookMs);
    console.log(`made in ${median(times).toFixed(0)} ms (median), ${Math.max(...times).toFixed(0)} ms at most`);
    if (!process.env.MISSES) continue;
    for (const { repository, file, evaluation } of rows)
      if (evaluation.misses.length > 0)
        console.log(`${repository} ${file.slice(0, 8)}: ${evaluation.misses.join(" ")}`);
  }
}

function report(name: string, evaluations: readonly Evaluation[]): void {
  const add = (pick: (evaluation: Evaluation) => Tally): Tally => ({
    of: sum(evaluations.map((evaluation) => pick(evaluation).of)),
    ours: sum(evaluations.map((evaluation) => pick(evaluation).ours)),
    theirs: sum(evaluations.map((evaluation) => pick(evaluation).theirs)),
  });
  const recoverable = {
    of: sum(evaluations.map((evaluation) => evaluation.recoverable.of)),
    held: sum(evaluations.map((evaluation) => evaluation.recoverable.held)),
  };
  const tokens = {
    ours: sum(evaluations.map((evaluation) => evaluation.tokens.ours)) / evaluations.length,
    theirs: sum(evaluations.map((evaluation) => evaluation.tokens.theirs)) / evaluations.length,
  };
  console.log(
    `${name}: mean size at most ${tokens.ours.toFixed(0)} tokens, the recorded summary's ${tokens.theirs.toFixed(0)}`,
  );
  const rows: readonly (readonly [string, Tally])[] = [
    ["files used in 20 calls", add(({ files20 }) => files20)],
    ["files used in 40 calls", add(({ files40 }) => files40)],
    ["names and numbers used", add(({ terms }) => terms)],
    ["error lines quoted", add(({ errorLines }) => errorLines)],
    ["constraints", add(({ constraints }) => constraints)],
  ];
  for (const [what, { of, ours, theirs }] of rows)
    console.log(
      `  ${what.padEnd(24)} ${String(of).padStart(4)}  ours ${renderShare(ours, of)}  summary ${renderShare(theirs, of)}`,
    );
  console.log(`  of the names ours misses, a handle leads to ${recoverable.held} of ${recoverable.of}`);
}

function reportContinuations(evaluations: readonly Evaluation[]): void {
  const points = evaluations.map(({ continuation }) => continuation);
  const placed = points.filter(({ isFollowed }) => isFollowed !== undefined);
  const followed = placed.filter(({ isFollowed }) => isFollowed);
  const kinds = [...new Set(points.map(({ kind }) => kind))].map(
    (kind) => `${kind} ${points.filter((point) => point.kind === kind).length}`,
  );
  console.log(`continuation points: ${kinds.join(", ")}`);
  console.log(`  of ${placed.length} that name a file, it was used within 10 calls after ${followed.length}`);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function renderShare(part: number, of: number): string {
  return of === 0 ? "     –" : `${((part / of) * 100).toFixed(1).padStart(5)} %`;
}
