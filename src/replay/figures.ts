import { mergeBins, quantileBin, ratioOfBin } from "./bins.ts";
import type { NeedTally } from "./outcome.ts";
import type { Walk } from "./walk.ts";

/** What is told of a policy. Shares are `undefined` where nothing was needed or the need is not told. */
export interface Figures {
  readonly netUsd: number;
  readonly sendUsd: number;
  readonly readUsd: number;
  readonly writeUsd: number;
  readonly outputUsd: number;
  readonly compactionUsd: number;
  readonly recoveryUsd: number;
  readonly rereadUsd: number;
  readonly fetches: number;
  readonly tokensSent: number;
  readonly peakTokens: number;
  readonly prefixBusts: number;
  readonly compactions: number;
  readonly blockedMs: number;
  /** Of the times that old exchanges went, how many at a boundary of the work; `undefined` where none did or nobody says. */
  readonly atBoundaries: number | undefined;
  readonly hotRetained: number | undefined;
  readonly hotRecoverable: number | undefined;
  readonly hotLost: number | undefined;
  readonly coldRetained: number | undefined;
  readonly coldRecoverable: number | undefined;
  readonly coldLost: number | undefined;
  readonly fatal: number | undefined;
  readonly editLineRecall: number | undefined;
}

export type FigureName = keyof Figures;

/** One session's numbers that add up, in a fixed order; the last is the peak, of which the largest counts. */
export type Row = Float64Array;

const NO_NEED: NeedTally = { retained: 0, recoverable: 0, lost: 0 };
const PEAK = 24;

/** A summary in words nobody recorded has a price and a place, but nothing can be looked for in it: such a need is not counted. */
export function toRow(walk: Walk): Row {
  const { hot, cold, editLines } = walk.isWordless ? { hot: NO_NEED, cold: NO_NEED, editLines: NO_NEED } : walk;
  return Float64Array.of(
    walk.sendUsd,
    walk.readUsd,
    walk.writeUsd,
    walk.outputUsd,
    walk.askedUsd,
    walk.recoveryUsd,
    walk.rereadUsd,
    walk.fetches,
    walk.tokensSent,
    walk.prefixBusts,
    walk.compactions,
    walk.blockedMs,
    ...[hot, cold, editLines].flatMap((tally) => [tally.retained, tally.recoverable, tally.lost]),
    walk.isWordless ? 0 : walk.fatal,
    walk.collapses,
    walk.collapsesAtBoundary,
    walk.peakTokens,
  );
}

/** The sum of rows, each as often as it is told; without that, once. */
export function sumRows(rows: readonly Row[], times?: Uint16Array): Row {
  const total = new Float64Array(PEAK + 1);
  for (const [index, row] of rows.entries()) {
    const often = times ? (times[index] ?? 0) : 1;
    if (often === 0) continue;
    for (let field = 0; field < PEAK; field++) total[field] = (total[field] ?? 0) + often * (row[field] ?? 0);
    total[PEAK] = Math.max(total[PEAK] ?? 0, row[PEAK] ?? 0);
  }
  return total;
}

export function toFigures(row: Row): Figures {
  const at = (field: number): number => row[field] ?? 0;
  const shareOf = (first: number, field: number): number | undefined => {
    const all = at(first) + at(first + 1) + at(first + 2);
    return all > 0 ? at(first + field) / all : undefined;
  };
  const [HOT, COLD, EDIT] = [12, 15, 18];
  const isTold = shareOf(HOT, 0) !== undefined || shareOf(COLD, 0) !== undefined;
  return {
    netUsd: at(0) + at(5) + at(6),
    sendUsd: at(0),
    readUsd: at(1),
    writeUsd: at(2),
    outputUsd: at(3),
    compactionUsd: at(4),
    recoveryUsd: at(5),
    rereadUsd: at(6),
    fetches: at(7),
    tokensSent: at(8),
    peakTokens: at(PEAK),
    prefixBusts: at(9),
    compactions: at(10),
    blockedMs: at(11),
    atBoundaries: at(22) > 0 ? at(23) / at(22) : undefined,
    hotRetained: shareOf(HOT, 0),
    hotRecoverable: shareOf(HOT, 1),
    hotLost: shareOf(HOT, 2),
    coldRetained: shareOf(COLD, 0),
    coldRecoverable: shareOf(COLD, 1),
    coldLost: shareOf(COLD, 2),
    fatal: isTold ? at(21) : undefined,
    editLineRecall: shareOf(EDIT, 0),
  };
}

/** The only figure that a clock decides: it differs from run to run. */
export function planMsP95(walks: readonly Walk[]): number | undefined {
  const bin = quantileBin(mergeBins(walks.map(({ planBins }) => planBins)), 0.95);
  return bin === undefined ? undefined : ratioOfBin(bin);
}
