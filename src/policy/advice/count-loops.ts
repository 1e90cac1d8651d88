import type { CallNote } from "../../survive/record/trail.ts";

/** Half of what a model looks up again after a compaction comes within 8 calls, three quarters within 24 (measured on recorded sessions). */
const NEAR_CALLS = 24;
const LEAST_REPEATS = 3;
/** At so many in a row, compacting only has the model read the same again. */
export const MOST_LOOPS = 2;

/** How many of the last compactions in a row were followed by the calls that came before them. `compactedAt` are the numbers of calls at each. */
export function countLoops(
  calls: readonly Pick<CallNote, "tool" | "subject">[],
  compactedAt: readonly number[],
): number {
  const names = calls.map(({ tool, subject }) => (subject === "" ? "" : `${tool} ${subject}`));
  const isLoop = compactedAt.map((at, index) => {
    const before = new Set(names.slice(Math.max(0, at - NEAR_CALLS), at));
    const end = Math.min(at + NEAR_CALLS, compactedAt[index + 1] ?? Number.POSITIVE_INFINITY);
    const after = [...new Set(names.slice(at, end))].filter((name) => name !== "");
    const repeats = after.filter((name) => before.has(name)).length;
    return repeats >= LEAST_REPEATS && repeats * 2 >= after.length;
  });
  return isLoop.length - 1 - isLoop.lastIndexOf(false);
}
