import { renderCount } from "../core/render-count.ts";
import { sumContextTokens } from "../core/usage.ts";
import { priceByList, pricePart, priceUsage } from "../models/economics/spend.ts";
import type { ReplayOutcome, WalkedSession } from "./outcome.ts";
import { native } from "./policies/native.ts";
import type { Briefing } from "./policy.ts";
import { MOST_DROP_TOKENS } from "./prepare-session.ts";
import { splitWrite } from "./prompt-cache.ts";
import type { RecordedCompaction, ReplaySession } from "./session.ts";
import { type WalkOptions, walkSession } from "./walk-session.ts";

/**
 * The recorded and the simulated cost of a session. A compaction's own request is never recorded: on both sides it is the view, read or
 * rewritten, plus the summary; on the recorded side with the recorded sizes.
 */
export interface DollarCheck {
  /** The recorded requests alone, at their recorded counts. */
  readonly billedUsd: number;
  readonly recordedUsd: number;
  /** With cache entries expiring as the timestamps say. */
  readonly simulatedUsd: number;
  /** Also charges the cache misses that timestamps do not explain. */
  readonly withMissesUsd: number;
  readonly unexplainedMisses: number;
  /** Also credits reads of more than this session can have left in the cache: another session's entries, or expired ones. */
  readonly withHitsUsd: number;
  readonly unexplainedHits: number;
  readonly recordedCompactions: number;
  readonly simulatedCompactions: number;
  /** Requests before which the recorded context shrank for no recorded reason; the simulator does not follow. */
  readonly unfollowedDrops: number;
  /** The largest simulated request as a share of the window. */
  readonly largestView: number;
}

export interface NamedCheck extends Pick<WalkedSession, "name" | "repository" | "client" | "steps"> {
  /** Its transcript. */
  readonly path: string;
  readonly check: DollarCheck;
}

/** A request that read less than half of what it could have read missed the cache; same rule as `measure/cache-miss.ts`. */
const MISS_BELOW = 0.5;

/** The check, and the walk of the client alone that it was made with. */
export function checkDollars(
  briefing: Briefing,
  options: Pick<WalkOptions, "clockMs"> = {},
): { readonly check: DollarCheck; readonly walk: ReplayOutcome } {
  const { session } = briefing;
  const check = { billedUsd: 0, recordedUsd: 0, simulatedUsd: 0, withMissesUsd: 0, withHitsUsd: 0 };
  const counts = { unexplainedMisses: 0, unexplainedHits: 0 };
  const compactions = new Map(session.compactions.map((compaction) => [compaction.step, compaction]));
  const walk = walkSession(briefing, native, {
    ...options,
    onRequest({ kind, usd, usage }, index) {
      const step = session.steps[index];
      if (!step || (kind !== "send" && kind !== "summary")) return;
      const readTokens = usage.cacheReadTokens;
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
      // The simulator does not read expired entries either, so a miss explained by timestamps never falls below half.
      const isMiss = recordedRead < readTokens * MISS_BELOW;
      const isHit = readTokens < recordedRead * MISS_BELOW && readTokens < sumContextTokens(usage) * MISS_BELOW;
      if (isMiss) counts.unexplainedMisses++;
      if (isHit) counts.unexplainedHits++;
      check.billedUsd += priceUsage(step.usage, step.model, { atMs: step.atMs })?.totalUsd ?? 0;
      check.recordedUsd += recordedUsd;
      check.withMissesUsd += isMiss ? recordedUsd : usd;
      check.withHitsUsd += isMiss || isHit ? recordedUsd : usd;
    },
  });
  return {
    check: {
      ...check,
      ...counts,
      recordedCompactions: session.compactions.length,
      simulatedCompactions: walk.compactions,
      unfollowedDrops: countDrops(session),
      largestView: walk.peakTokens / session.windowTokens,
    },
    walk,
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
  const view = isCold ? splitWrite(contextTokens, after.share1h) : { cacheReadTokens: contextTokens };
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

/** Sessions whose simulated dollars are farther from the recorded ones are left out. */
const MOST_APART = 0.15;
/** The same for all sessions of one client together. */
const MOST_TOTAL_APART = 0.05;

function renderDistance(check: DollarCheck): string {
  const ratio = (check.simulatedUsd / check.recordedUsd).toFixed(2);
  return `the simulated agent costs ${ratio} of what was recorded (${explainApart(check)})`;
}

type Counted = Pick<NamedCheck, "name" | "client" | "check">;

/** Which sessions are in no sum of dollars, and why: first those far from their own record, then those that distort their client's total. */
export function explainLeftOut(sessions: readonly Counted[]): ReadonlyMap<string, string> {
  const isFar = ({ check }: Counted): boolean =>
    check.recordedUsd > 0 && isApart(check.simulatedUsd / check.recordedUsd);
  const far = sessions.filter(isFar).map(({ name, check }) => [name, renderDistance(check)] as const);
  return new Map([...far, ...explainTotals(sessions.filter((session) => !isFar(session)))]);
}

/**
 * Which sessions make their client's total differ by more than 5 % from the record, and why: small errors of the same sign add up. The
 * session that distorts the total most is removed first.
 */
function explainTotals(sessions: readonly Counted[]): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  for (const client of new Set(sessions.map((session) => session.client))) {
    let left = sessions.filter((session) => session.client === client);
    for (let off = measureTotal(left); Math.abs(off) > MOST_TOTAL_APART; off = measureTotal(left)) {
      const [farthest] = left.toSorted((first, second) => (excessOf(second) - excessOf(first)) * Math.sign(off));
      if (!farthest) break;
      const total = `and with it all sessions of ${client} would come to ${(1 + off).toFixed(2)}`;
      reasons.set(farthest.name, `${renderDistance(farthest.check)}, ${total}`);
      left = left.filter((session) => session !== farthest);
    }
  }
  return reasons;
}

function excessOf({ check }: Counted): number {
  return check.simulatedUsd - check.recordedUsd;
}

function measureTotal(sessions: readonly Counted[]): number {
  const recordedUsd = sessions.reduce((sum, { check }) => sum + check.recordedUsd, 0);
  return recordedUsd > 0 ? sessions.reduce((sum, session) => sum + excessOf(session), 0) / recordedUsd : 0;
}

function isApart(ratio: number): boolean {
  return Math.abs(ratio - 1) > MOST_APART;
}

/** All known causes of the difference; only for misses is it known how much they weigh. */
function explainApart(check: DollarCheck): string {
  const { unexplainedMisses, unexplainedHits, unfollowedDrops, recordedCompactions, simulatedCompactions } = check;
  const misses = unexplainedMisses > 0 && `cache misses that time stamps do not explain: ${unexplainedMisses}`;
  if (misses && !isApart(check.withMissesUsd / check.recordedUsd)) return misses;
  const reasons = [
    misses,
    unexplainedHits > 0 &&
      `${renderCount(unexplainedHits, "request")} read more from the cache than this session could have left there`,
    unfollowedDrops > 0 && `its context shrank ${renderCount(unfollowedDrops, "time")} without a recorded compaction`,
    simulatedCompactions !== recordedCompactions &&
      `compacted ${renderCount(simulatedCompactions, "time")} where ${recordedCompactions} are recorded`,
  ];
  return reasons.filter(Boolean).join("; ") || "not known";
}
