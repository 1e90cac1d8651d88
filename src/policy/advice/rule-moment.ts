import { type CompactionDecision, decideCompaction } from "./decide-compaction.ts";
import type { WorkMoment } from "./work-moment.ts";

/** An automatic compaction may come at `any` time, where the decision `table` allows it, at `boundaries` of the work, or at the start of a `turn`. */
export type Moments = "any" | "table" | "boundaries" | "turns";

/** The cheapest setting that obeys the table (measured: `docs/research/policy.md`). */
export const DEFAULT_MOMENTS: Moments = "table";

type Ruling = Pick<CompactionDecision, "verdict" | "why"> & { readonly isBoundary: boolean };

/** For so many exchanges after an edit or a failure, its details are still in use. */
const NEAR_EXCHANGES = 2;

/** What the decision table says about the current state of the work. An unknown forbids nothing. */
export function ruleMoment(work: WorkMoment): Ruling {
  const { exchange, editedAt = 0, failedAt, qualityAt, isPlanKept } = work;
  const isNear = (at = 0): boolean => at !== 0 && exchange - at < NEAR_EXCHANGES;
  const isNow = (at = 0): boolean => at === exchange && exchange > 0;
  if (work.isTurnStart) return { verdict: "YES", why: "the user starts a new turn", isBoundary: true };
  if (isNow(work.pivotedAt) && !isNow(editedAt) && !isNow(failedAt))
    return rule(decideCompaction("implementation", "pivot"), true);
  if (isNear(editedAt)) {
    const isFileComplete = editedAt < exchange;
    return rule(decideCompaction("implementation", "implementation", { isFileComplete }), false);
  }
  if (isNear(failedAt))
    return { verdict: "CONDITIONAL", why: "find the cause of the failure first", isBoundary: false };
  if (isNear(qualityAt)) return rule(decideCompaction("quality", "verify"), false);
  if (isNow(work.committedAt)) return rule(decideCompaction("commit", "next-feature"), true);
  if (isNow(work.fixedAt)) return rule(decideCompaction("debug", "next-feature"), true);
  if (isNow(work.verifiedAt)) {
    const facts = { isFileComplete: true, doTestsPass: true };
    return rule(decideCompaction("implementation", "implementation", facts), true);
  }
  if (isNow(work.plannedAt))
    return rule(decideCompaction("planning", "implementation", { hasPlanFile: isPlanKept }), isPlanKept);
  if (isNow(work.researchedAt)) return rule(decideCompaction("research", "planning"), true);
  if (isNow(work.finishedAt)) return { verdict: "YES", why: "a task is finished", isBoundary: true };
  return { verdict: "YES", why: "no work is half-finished", isBoundary: false };
}

function rule({ verdict, why }: CompactionDecision, isBoundary: boolean): Ruling {
  return { verdict, why, isBoundary };
}

export interface Pressure {
  /** Half of the line is reached, so room is worth more than a good moment. */
  readonly isPastHalf: boolean;
  /** The request is written to the cache anew, whatever is decided. */
  readonly isCold: boolean;
}

/** Why an automatic compaction waits; empty if it need not. */
export function explainWait(find: () => WorkMoment, moments: Moments, { isPastHalf, isCold }: Pressure): string {
  if (moments === "any" || isPastHalf) return "";
  const work = find();
  const { verdict, why, isBoundary } = ruleMoment(work);
  if (moments === "table") return isCold || verdict === "YES" ? "" : why;
  if (moments === "turns") return work.isTurnStart ? "" : "compact only when the user starts a new turn";
  return isBoundary ? "" : verdict === "YES" ? "compact only between two steps of the work" : why;
}
