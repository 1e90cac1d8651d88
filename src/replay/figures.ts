import { mergeBins, quantileBin, ratioOfBin } from "./bins.ts";
import { type Counts, NOTHING_YET, type Walk } from "./outcome.ts";

/** Counted in a walk, but not reported under that name. */
type Inner = "steps" | "askedUsd" | "readTokens" | "writtenTokens" | "outputTokens" | "pauses" | Collapses | "fatal";
type Collapses = "collapses" | "collapsesAtBoundary";

/** The reported figures of a policy. Shares are `undefined` if nothing was needed or the need is unknown. */
export interface Figures extends Readonly<Omit<Counts, Inner>> {
  readonly netUsd: number;
  readonly compactionUsd: number;
  /** All tokens of the requests: read, written and output. */
  readonly tokens: number;
  /** Of these, the tokens not read from the prompt cache: written to it or output. */
  readonly uncachedTokens: number;
  /** How many removals of old exchanges were at a boundary of the work; `undefined` if there were none or it is unknown. */
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

const isCount = (name: string): name is keyof Counts => name in NOTHING_YET;
const COUNTS = Object.keys(NOTHING_YET).filter(isCount);
const PEAK = COUNTS.indexOf("peakTokens");
const TALLIES = ["hot", "cold", "editLines"] as const;
const ENDS = ["retained", "recoverable", "lost"] as const;

/** The counts of a walk, then the ends of each of its tallies. Everything is summed, but of the peak the maximum counts. */
export type FigureRow = Float64Array;

/** The price and place of an unrecorded summary are known but not its words, so needs cannot be looked for in it and are not counted. */
export function toRow(walk: Walk): FigureRow {
  const weight = walk.isWordless ? 0 : 1;
  return Float64Array.of(
    ...COUNTS.map((name) => (name === "fatal" ? weight * walk.fatal : walk[name])),
    ...TALLIES.flatMap((tally) => ENDS.map((end) => weight * walk[tally][end])),
  );
}

/** The sum of rows, each counted `times`, once by default. */
export function sumRows(rows: readonly FigureRow[], times?: Uint16Array): FigureRow {
  const total = new Float64Array(COUNTS.length + TALLIES.length * ENDS.length);
  for (const [index, row] of rows.entries()) {
    const often = times ? (times[index] ?? 0) : 1;
    if (often === 0) continue;
    const peak = Math.max(total[PEAK] ?? 0, row[PEAK] ?? 0);
    for (let field = 0; field < total.length; field++) total[field] = (total[field] ?? 0) + often * (row[field] ?? 0);
    total[PEAK] = peak;
  }
  return total;
}

export function toFigures(row: FigureRow): Figures {
  const sums = { ...NOTHING_YET };
  for (const [index, name] of COUNTS.entries()) sums[name] = row[index] ?? 0;
  const { steps: _, pauses: __, askedUsd, readTokens, writtenTokens, outputTokens, fatal, ...others } = sums;
  const { collapses, collapsesAtBoundary, ...plain } = others;
  const shareOf = (tally: (typeof TALLIES)[number], end: (typeof ENDS)[number]): number | undefined => {
    const from = COUNTS.length + TALLIES.indexOf(tally) * ENDS.length;
    const all = ENDS.reduce((sum, _, index) => sum + (row[from + index] ?? 0), 0);
    return all > 0 ? (row[from + ENDS.indexOf(end)] ?? 0) / all : undefined;
  };
  const [hotRetained, coldRetained] = [shareOf("hot", "retained"), shareOf("cold", "retained")];
  return {
    netUsd: sums.sendUsd + sums.recoveryUsd + sums.rereadUsd,
    ...plain,
    compactionUsd: askedUsd,
    tokens: readTokens + writtenTokens + outputTokens,
    uncachedTokens: writtenTokens + outputTokens,
    atBoundaries: collapses > 0 ? collapsesAtBoundary / collapses : undefined,
    hotRetained,
    hotRecoverable: shareOf("hot", "recoverable"),
    hotLost: shareOf("hot", "lost"),
    coldRetained,
    coldRecoverable: shareOf("cold", "recoverable"),
    coldLost: shareOf("cold", "lost"),
    fatal: hotRetained === undefined && coldRetained === undefined ? undefined : fatal,
    editLineRecall: shareOf("editLines", "retained"),
  };
}

/** The only figure that depends on a clock: it differs from run to run. */
export function planMsP95(walks: readonly Walk[]): number | undefined {
  const bin = quantileBin(mergeBins(walks.map(({ planBins }) => planBins)), 0.95);
  return bin === undefined ? undefined : ratioOfBin(bin);
}
