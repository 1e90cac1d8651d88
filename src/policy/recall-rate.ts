import { countField, isObject, objectField, parseObject } from "../core/json.ts";

/** How often models fetched originals back after compactions. */
export interface RecallCounts {
  readonly compactions: number;
  readonly recalls: number;
}

/** By the project's folder. */
export type RecallFigures = Readonly<Record<string, RecallCounts>>;

/** A compaction is followed by 0 to 47 recalls, so a few of them say little. */
export const LEAST_COMPACTIONS = 10;

const NONE: RecallCounts = { compactions: 0, recalls: 0 };

export function parseRecalls(text: string): RecallFigures {
  const projects = objectField(parseObject(text), "projects") ?? {};
  return Object.fromEntries(
    Object.entries(projects).flatMap(([root, counts]) =>
      isObject(counts)
        ? [[root, { compactions: countField(counts, "compactions"), recalls: countField(counts, "recalls") }]]
        : [],
    ),
  );
}

export function addRecalls(
  figures: RecallFigures,
  root: string,
  { compactions, recalls }: RecallCounts,
): RecallFigures {
  const before = figures[root] ?? NONE;
  const counts = { compactions: before.compactions + compactions, recalls: before.recalls + recalls };
  return { ...figures, [root]: counts };
}

export function renderRecalls(projects: RecallFigures): string {
  return `${JSON.stringify({ projects })}\n`;
}

export function sumRecalls(figures: RecallFigures): RecallCounts {
  return Object.values(figures).reduce(
    (sum, { compactions, recalls }) => ({
      compactions: sum.compactions + compactions,
      recalls: sum.recalls + recalls,
    }),
    NONE,
  );
}

/** Recalls after a compaction: of the project, else of all the person's projects; `undefined` while there are too few of both. */
export function chooseRecallRate(figures: RecallFigures, root: string): number | undefined {
  const known = [figures[root] ?? NONE, sumRecalls(figures)].find(
    ({ compactions }) => compactions >= LEAST_COMPACTIONS,
  );
  return known && known.recalls / known.compactions;
}

/** For a person; empty if nothing is counted yet. */
export function describeRecalls(figures: RecallFigures): string {
  const { compactions, recalls } = sumRecalls(figures);
  if (compactions === 0) return "";
  const rate = (recalls / compactions).toFixed(1);
  const use =
    compactions >= LEAST_COMPACTIONS
      ? "the price of a compaction counts your own rate"
      : `from ${LEAST_COMPACTIONS} compactions on the price counts your own rate`;
  return `${recalls} after ${compactions} compactions (${rate} each); ${use}`;
}
