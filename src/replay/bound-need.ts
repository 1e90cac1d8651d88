import { divide } from "./compare-sessions.ts";
import { type Figures, sumRows, toFigures, toRow } from "./figures.ts";
import type { NeedTally, Walk } from "./outcome.ts";

/**
 * A policy with unrecorded summaries, assuming that they held a given share of what was needed later. Its net dollars include the price of
 * fetching and reading again what they did not hold.
 */
interface NeedBound extends Pick<Figures, "netUsd" | "hotRetained" | "coldRetained" | "coldLost"> {
  readonly relativeNetUsd: number | undefined;
  readonly fatal: number;
}

/** The content of such a summary is unknown: the truth is between the two. */
export interface NeedBounds {
  readonly heldNothing: NeedBound;
  /** As much as recorded summaries held; absent if none was recorded. */
  readonly heldAsRecorded: NeedBound | undefined;
}

/** Of what was needed after a compaction and was only before it, how much the recorded summaries held. */
export interface SummaryHeld {
  readonly needs: number;
  readonly share: number | undefined;
}

export function measureSummaries(reference: readonly Walk[]): SummaryHeld {
  const held = reference.reduce((sum, { retold: restated }) => sum + restated.held, 0);
  const needs = reference.reduce((sum, { retold: restated }) => sum + restated.missing, held);
  return { needs, share: divide(held, needs) };
}

/** `undefined` if every word is known. */
export function boundNeed(
  walks: readonly Walk[],
  { share }: SummaryHeld,
  referenceUsd: number,
): NeedBounds | undefined {
  if (!walks.some(({ isWordless }) => isWordless)) return undefined;
  const heldNothing = boundAt(walks, 0, referenceUsd);
  return { heldNothing, heldAsRecorded: share === undefined ? undefined : boundAt(walks, share, referenceUsd) };
}

function boundAt(walks: readonly Walk[], held: number, referenceUsd: number): NeedBound {
  const unheard = (field: "usd" | "fatal"): number =>
    (1 - held) * walks.reduce((sum, walk) => sum + walk.unheard[field], 0);
  const netUsd = toFigures(sumRows(walks.map(toRow))).netUsd + unheard("usd");
  const hot = addTallies(walks, "hot", held);
  const cold = addTallies(walks, "cold", held);
  return {
    netUsd,
    relativeNetUsd: divide(netUsd, referenceUsd),
    hotRetained: divide(hot.retained, hot.retained + hot.recoverable + hot.lost),
    coldRetained: divide(cold.retained, cold.retained + cold.recoverable + cold.lost),
    coldLost: divide(cold.lost, cold.retained + cold.recoverable + cold.lost),
    fatal: walks.reduce((sum, { fatal }) => sum + fatal, 0) + unheard("fatal"),
  };
}

/** All needs before and after such a summary; a share of those lost behind it counts as held. */
function addTallies(walks: readonly Walk[], which: "hot" | "cold", held: number): NeedTally {
  const total: NeedTally = { retained: 0, recoverable: 0, lost: 0 };
  for (const walk of walks) {
    const [before, after] = [walk[which], walk.unheard[which]];
    total.retained += before.retained + after.retained + held * after.lost;
    total.recoverable += before.recoverable + after.recoverable;
    total.lost += before.lost + (1 - held) * after.lost;
  }
  return total;
}
