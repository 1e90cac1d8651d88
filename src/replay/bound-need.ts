import { divide } from "./compare-sessions.ts";
import { sumRows, toFigures, toRow } from "./figures.ts";
import type { NeedTally, Unheard } from "./outcome.ts";
import type { Walk } from "./walk.ts";

/** A policy with summaries that nobody recorded, if these held so much of what was needed later. */
export interface NeedBound {
  /** With the price of fetching and reading again what they did not hold. */
  readonly netUsd: number;
  readonly relativeNetUsd: number | undefined;
  readonly hotRetained: number | undefined;
  readonly coldRetained: number | undefined;
  readonly coldLost: number | undefined;
  readonly fatal: number;
}

/** Nobody knows what such a summary would have said: the truth lies between the two. */
export interface NeedBounds {
  readonly heldNothing: NeedBound;
  /** As much as recorded summaries held; absent where none was recorded. */
  readonly heldAsRecorded: NeedBound | undefined;
}

/** Of what was needed after a compaction and stood only before it, how much the recorded summaries held. */
export interface SummaryHeld {
  readonly needs: number;
  readonly share: number | undefined;
}

export function measureSummaries(reference: readonly Walk[]): SummaryHeld {
  const held = reference.reduce((sum, { retold }) => sum + retold.held, 0);
  const needs = reference.reduce((sum, { retold }) => sum + retold.missing, held);
  return { needs, share: divide(held, needs) };
}

/** `undefined` where every word is known. */
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
  const netUsd = toFigures(sumRows(walks.map(toRow))).netUsd + (1 - held) * sumUnheard(walks, ({ usd }) => usd);
  const hot = addTallies(walks, "hot", held);
  const cold = addTallies(walks, "cold", held);
  return {
    netUsd,
    relativeNetUsd: divide(netUsd, referenceUsd),
    hotRetained: divide(hot.retained, hot.retained + hot.recoverable + hot.lost),
    coldRetained: divide(cold.retained, cold.retained + cold.recoverable + cold.lost),
    coldLost: divide(cold.lost, cold.retained + cold.recoverable + cold.lost),
    fatal: walks.reduce((sum, { fatal }) => sum + fatal, 0) + (1 - held) * sumUnheard(walks, ({ fatal }) => fatal),
  };
}

function sumUnheard(walks: readonly Walk[], read: (unheard: Unheard) => number): number {
  return walks.reduce((sum, { unheard }) => sum + read(unheard), 0);
}

/** All that was needed, before such a summary and after it; of what was lost behind it a share was held after all. */
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
