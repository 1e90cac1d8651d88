import { type Bins, countByRatio } from "./bins.ts";
import type { ReplayOutcome } from "./outcome.ts";

/** One session under one policy as it is kept and added up: an outcome whose planning times are counted, not listed. */
export interface Walk extends Readonly<Omit<ReplayOutcome, "planMs" | "session">> {
  readonly planBins: Bins;
}

export function toWalk(outcome: ReplayOutcome): Walk {
  const { planMs, session: _, ...rest } = outcome;
  return { ...rest, planBins: countByRatio(planMs) };
}
