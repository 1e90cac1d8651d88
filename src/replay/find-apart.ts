import { renderCount } from "../core/render-count.ts";
import type { DollarCheck } from "./check-dollars.ts";

/** How far simulated dollars may be from recorded ones before nothing is concluded from a session. */
const MOST_APART = 0.15;

export interface Apart {
  readonly ratio: number;
  readonly ratioWithMisses: number;
  readonly why: string;
}

/** A session whose simulation is not near what was recorded, with the reason as far as it is known. */
export function findApart(check: DollarCheck): Apart | undefined {
  if (check.recordedUsd <= 0) return undefined;
  const ratio = check.simulatedUsd / check.recordedUsd;
  const ratioWithMisses = check.withMissesUsd / check.recordedUsd;
  if (!isApart(ratio) && !isApart(ratioWithMisses)) return undefined;
  return { ratio, ratioWithMisses, why: explainApart(check, ratioWithMisses) };
}

/** Why a session is in no sum of dollars; `undefined` where the simulated client costs about what was billed. */
export function explainDistance(check: DollarCheck): string | undefined {
  const apart = findApart(check);
  if (!apart || !isApart(apart.ratio)) return undefined;
  return `the simulated client costs ${apart.ratio.toFixed(2)} of what was recorded (${apart.why})`;
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
