import { isObject } from "../../core/json-fields.ts";
import type { Injected } from "../../policy/injection/price-injections.ts";
import type { ReadDeeds } from "../../recorded/read-deeds.ts";
import { countSizes, type Histogram, joinHistograms } from "./histogram.ts";

/** What the dashboard keeps of a session's journals over all sessions. */
export interface JournalLook {
  readonly runs: Readonly<Record<string, RunTimes>>;
  readonly injected: readonly Injected[];
  readonly folds: number;
}

export interface RunTimes {
  readonly door: string;
  readonly event: string;
  readonly totalMs: number;
  readonly largestMs: number;
  /** In microseconds, because most runs take a few milliseconds. */
  readonly times: Histogram;
}

export const emptyJournalLook: JournalLook = { runs: {}, injected: [], folds: 0 };

export function lookAtJournal({ deeds }: ReadDeeds): JournalLook {
  const runs = new Map<string, RunTimes>();
  const injected: Injected[] = [];
  let folds = 0;
  for (const deed of deeds) {
    if (deed.kind === "folded") folds++;
    if (deed.kind === "injected") {
      const { what, atMs, characters, tokens, model } = deed;
      injected.push({ what, atMs, characters, tokens, model });
    }
    if (deed.kind !== "ran" || !(deed.ms >= 0)) continue;
    const { door, event, ms } = deed;
    const one: RunTimes = { door, event, totalMs: ms, largestMs: ms, times: countSizes([ms * 1000]) };
    const known = runs.get(`${door} ${event}`);
    runs.set(`${door} ${event}`, known ? joinRuns(known, one) : one);
  }
  return { runs: Object.fromEntries(runs), injected, folds };
}

export function joinRuns(left: RunTimes, right: RunTimes): RunTimes {
  return {
    ...left,
    totalMs: left.totalMs + right.totalMs,
    largestMs: Math.max(left.largestMs, right.largestMs),
    times: joinHistograms([left.times, right.times]),
  };
}

export function isJournalLook(value: unknown): value is JournalLook {
  return isObject(value) && isObject(value.runs) && Array.isArray(value.injected);
}
