import path from "node:path";
import { expect, it } from "vitest";
import { CORPUS, listCorpus } from "../../lab/bench/corpus.ts";
import { type Evaluation, evaluateBoundary, findBoundaries, type Tally } from "../../lab/bench/evaluate-record.ts";
import type { Happened } from "../../src/survive/record/continuation.ts";
import { splitPath } from "../../src/survive/record/group-paths.ts";
import { renderRecord } from "../../src/survive/record/record.ts";
import { createShortener, renderSummary } from "../../src/survive/record/summary.ts";
import { weighText } from "../../src/survive/record/weigh.ts";
import { withCorpus } from "../support/needs.ts";

interface Row {
  readonly name: string;
  readonly repository: string;
  readonly evaluation: Evaluation;
  /** With a quarter of the budget, so that something is missing. */
  readonly tight: Evaluation;
  readonly anchorTokens: number;
  readonly unnamed: readonly string[];
}

const BUDGET = 12_000;

const rows: readonly Row[] = listCorpus().flatMap((file) =>
  [...findBoundaries(file)].map((boundary) => ({
    name: `${path.relative(CORPUS, file)} at request ${boundary.happened.trail.request}`,
    repository: path.basename(path.dirname(file)),
    evaluation: evaluateBoundary(boundary, BUDGET),
    tight: evaluateBoundary(boundary, BUDGET / 4),
    anchorTokens: weighText(renderSummary(boundary.happened)),
    unnamed: listUnnamed(boundary.happened, boundary.root),
  })),
);

/** Files of the session whose whole path cannot be read off the record. */
function listUnnamed(happened: Happened, root: string): readonly string[] {
  const lines = renderRecord(happened, { root, budgetTokens: BUDGET }).text.split("\n");
  const shorten = createShortener(root);
  return happened.state.files
    .map((file) => shorten(file.path))
    .filter((file) => {
      const { folder, name } = splitPath(file);
      const line = lines.find((text) => text.startsWith(`${folder}: `))?.slice(folder.length + 2) ?? "";
      return !line.split(", ").some((entry) => entry.replace(/^[+~]/, "").startsWith(name));
    });
}

function add(part: readonly Row[], pick: (evaluation: Evaluation) => Tally): Tally {
  return part
    .map(({ evaluation }) => pick(evaluation))
    .reduce((sum, { of, ours, theirs }) => ({ of: sum.of + of, ours: sum.ours + ours, theirs: sum.theirs + theirs }), {
      of: 0,
      ours: 0,
      theirs: 0,
    });
}

const repositories = [...new Set(rows.map(({ repository }) => repository))].sort();
const parts: readonly (readonly [string, readonly Row[]])[] = [
  ["all repositories", rows],
  ["one half of them", rows.filter(({ repository }) => repositories.indexOf(repository) % 2 === 0)],
  ["the other half", rows.filter(({ repository }) => repositories.indexOf(repository) % 2 === 1)],
];

withCorpus.describe("the record at every recorded compaction", () => {
  it("is built for 45 of them", () => {
    expect(rows.length).toBe(45);
  });

  it("[R47] stays within its budget, and its anchor within 500 tokens", () => {
    const heavy = rows.filter(({ evaluation, anchorTokens }) => evaluation.tokens.ours > BUDGET || anchorTokens > 500);
    expect(heavy.map(({ name }) => name)).toEqual([]);
  });

  it.each(parts)(
    "names at least 99 of 100 files used in the next 20 and 40 calls, and no fewer than the recorded summary: %s",
    (_which, part) => {
      for (const pick of [({ files20 }: Evaluation) => files20, ({ files40 }: Evaluation) => files40]) {
        const { of, ours, theirs } = add(part, pick);
        expect(of).toBeGreaterThan(0);
        expect(ours / of).toBeGreaterThanOrEqual(0.99);
        expect(ours).toBeGreaterThanOrEqual(theirs);
      }
    },
  );

  it.each(parts)("holds no fewer of the names and numbers used next than the recorded summary: %s", (_which, part) => {
    const { of, ours, theirs } = add(part, ({ terms }) => terms);
    expect(of).toBeGreaterThan(50);
    expect(ours).toBeGreaterThanOrEqual(theirs);
    expect(ours / of).toBeGreaterThanOrEqual(0.95);
  });

  it("has a handle that leads to whatever name it does not hold", () => {
    const missing = rows.reduce((sum, { tight }) => sum + tight.recoverable.of, 0);
    expect(missing).toBeGreaterThan(0);
    const lost = rows.filter(({ evaluation, tight }) =>
      [evaluation, tight].some(({ recoverable }) => recoverable.held < recoverable.of),
    );
    expect(lost.map(({ name }) => name)).toEqual([]);
  });

  it("[R110] keeps every constraint of the person word for word", () => {
    const broken = rows.filter(({ evaluation: { constraints } }) => constraints.ours < constraints.of);
    expect(broken.map(({ name }) => name)).toEqual([]);
    expect(add(rows, ({ constraints }) => constraints).of).toBeGreaterThan(100);
  });

  it("[R61] names every file the session touched, with its whole path", () => {
    expect(rows.filter(({ unnamed }) => unnamed.length > 0).map(({ name, unnamed }) => [name, unnamed])).toEqual([]);
  });
});
