import { renderCount } from "../core/render-count.ts";
import type { DollarCheck } from "./check-dollars.ts";

/** How far simulated dollars may be from recorded ones before nothing is concluded from a session. */
const MOST_APART = 0.15;
/** How far all sessions of one client together may be. */
const MOST_TOTAL_APART = 0.05;

function renderDistance(check: DollarCheck): string {
  const { simulatedUsd, recordedUsd, withMissesUsd } = check;
  const why = explainApart(check, withMissesUsd / recordedUsd);
  return `the simulated client costs ${(simulatedUsd / recordedUsd).toFixed(2)} of what was recorded (${why})`;
}

/** A session as the total of its client sees it. */
interface Counted {
  readonly name: string;
  readonly client: string;
  readonly check: DollarCheck;
}

/** Which sessions are in no sum of dollars, and why: first those that are far from their own record, then those that take their client's total off. */
export function explainLeftOut(sessions: readonly Counted[]): ReadonlyMap<string, string> {
  const isFar = ({ check }: Counted): boolean =>
    check.recordedUsd > 0 && isApart(check.simulatedUsd / check.recordedUsd);
  const far = sessions.filter(isFar).map(({ name, check }) => [name, renderDistance(check)] as const);
  return new Map([...far, ...explainTotals(sessions.filter((session) => !isFar(session)))]);
}

/**
 * Which sessions make the total of their client differ by more than 5 % from what was recorded, and why: errors that all have one sign add
 * up, though each of them is small. The session that takes the total farthest off goes first.
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

/** Everything that is known to part the two; which of it weighs most is known of the misses alone. */
function explainApart(check: DollarCheck, ratioWithMisses: number): string {
  const { unexplainedMisses, unexplainedHits, unfollowedDrops, recordedCompactions, simulatedCompactions } = check;
  const misses = `cache misses that time stamps do not explain: ${unexplainedMisses}`;
  if (unexplainedMisses > 0 && !isApart(ratioWithMisses)) return misses;
  const reasons = [
    ...(unexplainedMisses > 0 ? [misses] : []),
    ...(unexplainedHits > 0
      ? [`${renderCount(unexplainedHits, "request")} read more from the cache than this session could have left there`]
      : []),
    ...(unfollowedDrops > 0
      ? [`its context shrank ${renderCount(unfollowedDrops, "time")} without a recorded compaction`]
      : []),
    ...(simulatedCompactions === recordedCompactions
      ? []
      : [`compacted ${renderCount(simulatedCompactions, "time")} where ${recordedCompactions} are recorded`]),
  ];
  return reasons.length > 0 ? reasons.join("; ") : "not known";
}
