import { sumContextTokens } from "../core/usage.ts";
import { priceByList, pricePart, priceUsage } from "../models/economics/spend.ts";
import type { Bins } from "./bins.ts";
import { native } from "./policies/native.ts";
import type { Briefing } from "./policy.ts";
import { MOST_DROP_TOKENS } from "./prepare-session.ts";
import type { RecordedCompaction, ReplaySession } from "./session.ts";
import { walkSession } from "./walk-session.ts";

/**
 * What a session cost as recorded and as simulated. Nobody records a compaction's own request: on both sides it is the view, read or
 * written anew, and the summary; on the recorded side at the sizes that were recorded.
 */
export interface DollarCheck {
  /** The recorded requests alone, at the counts that were recorded. */
  readonly billedUsd: number;
  readonly recordedUsd: number;
  /** Entries live as long as time stamps say. */
  readonly simulatedUsd: number;
  /** Requests that missed the cache although time stamps do not say why cost what they cost. */
  readonly withMissesUsd: number;
  readonly unexplainedMisses: number;
  /** Those, too, that read more than this session could have left in the cache: what another one left, or what had expired. */
  readonly withHitsUsd: number;
  readonly unexplainedHits: number;
  readonly recordedCompactions: number;
  readonly simulatedCompactions: number;
  /** Requests before which the recorded context shrank although nothing says why; the simulator does not follow. */
  readonly unfollowedDrops: number;
  /** The largest simulated request as a share of the window. */
  readonly largestView: number;
}

/** The simulator against what was recorded, for one session. */
export interface SessionCheck extends DollarCheck {
  /** Signed errors of the estimator alone, one a request, as shares of the recorded size. */
  readonly estimatorErrors: Bins;
}

export interface NamedCheck {
  readonly name: string;
  readonly repository: string;
  readonly client: string;
  readonly steps: number;
  readonly check: SessionCheck;
}

/** A request that read less than half of what it could have read missed the cache; `measure/cache-miss.ts` says the same. */
const MISS_BELOW = 0.5;

export function checkDollars(briefing: Briefing): DollarCheck {
  const { session } = briefing;
  const check = { billedUsd: 0, recordedUsd: 0, simulatedUsd: 0, withMissesUsd: 0, withHitsUsd: 0 };
  const counts = { unexplainedMisses: 0, unexplainedHits: 0 };
  const compactions = new Map(session.compactions.map((compaction) => [compaction.step, compaction]));
  const { compactions: simulatedCompactions, peakTokens } = walkSession(briefing, native, {
    onRequest({ kind, usd, readTokens, written5mTokens, written1hTokens }, index) {
      const step = session.steps[index];
      if (!step || (kind !== "send" && kind !== "summary")) return;
      check.simulatedUsd += usd;
      if (kind === "summary") {
        const compaction = compactions.get(index);
        if (compaction) check.recordedUsd += priceCompaction(session, compaction, { isCold: readTokens === 0 });
        check.withMissesUsd += usd;
        check.withHitsUsd += usd;
        return;
      }
      const recordedUsd =
        priceByList({ ...step.usage, outputTokens: step.outputTokens }, step.model, { atMs: step.atMs })?.totalUsd ?? 0;
      const recordedRead = step.usage.cacheReadTokens;
      // What had expired the simulator does not read, either: a miss that time stamps explain is never below its half.
      const isMiss = recordedRead < readTokens * MISS_BELOW;
      const writtenTokens = written5mTokens + written1hTokens;
      const isHit = readTokens < recordedRead * MISS_BELOW && writtenTokens > readTokens;
      if (isMiss) counts.unexplainedMisses++;
      if (isHit) counts.unexplainedHits++;
      check.billedUsd += priceUsage(step.usage, step.model, { atMs: step.atMs })?.totalUsd ?? 0;
      check.recordedUsd += recordedUsd;
      check.withMissesUsd += isMiss ? recordedUsd : usd;
      check.withHitsUsd += isMiss || isHit ? recordedUsd : usd;
    },
  });
  return {
    ...check,
    ...counts,
    recordedCompactions: session.compactions.length,
    simulatedCompactions,
    unfollowedDrops: countDrops(session),
    largestView: peakTokens / session.windowTokens,
  };
}

/** The last request before it with its answer was read, and the recorded summary written. */
function priceCompaction(
  { steps }: ReplaySession,
  { step, summaryTokens }: RecordedCompaction,
  { isCold }: { readonly isCold: boolean },
): number {
  const [before, after] = [steps[step - 1], steps[step]];
  if (!before || !after) return 0;
  const contextTokens = sumContextTokens(before.usage) + before.outputTokens;
  const written = {
    cacheWrite5mTokens: contextTokens * (1 - after.share1h),
    cacheWrite1hTokens: contextTokens * after.share1h,
  };
  const view = isCold ? written : { cacheReadTokens: contextTokens };
  return pricePart({ ...view, outputTokens: summaryTokens }, after.model, { contextTokens, atMs: after.atMs }) ?? 0;
}

function countDrops({ steps, compactions }: ReplaySession): number {
  const boundaries = new Set(compactions.map(({ step }) => step));
  return steps.filter(({ usage }, index) => {
    const before = steps[index - 1];
    if (!before || boundaries.has(index)) return false;
    return sumContextTokens(usage) < sumContextTokens(before.usage) - MOST_DROP_TOKENS;
  }).length;
}
