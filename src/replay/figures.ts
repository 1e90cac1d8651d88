import { mergeBins, quantileBin, ratioOfBin } from "./bins.ts";
import type { NeedTally, Walk } from "./outcome.ts";

/** The reported figures of a policy. Shares are `undefined` if nothing was needed or the need is unknown. */
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
  /** The session's own, those that wrote summaries, and those that fetched or read again. */
  readonly requests: number;
  /** All tokens of these requests: read, written and output. */
  readonly tokens: number;
  /** Of these, the tokens not read from the prompt cache: written to it or output. */
  readonly uncachedTokens: number;
  readonly tokensSent: number;
  readonly ledgerTokens: number;
  readonly peakTokens: number;
  readonly prefixBusts: number;
  readonly compactions: number;
  readonly blockedMs: number;
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

const NO_NEED: NeedTally = { retained: 0, recoverable: 0, lost: 0 };

/** The price and place of an unrecorded summary are known but not its words, so needs cannot be looked for in it and are not counted. */
const told = (walk: Walk, which: "hot" | "cold" | "editLines"): NeedTally => (walk.isWordless ? NO_NEED : walk[which]);

const SUMS = {
  sendUsd: (walk: Walk) => walk.sendUsd,
  readUsd: (walk: Walk) => walk.readUsd,
  writeUsd: (walk: Walk) => walk.writeUsd,
  outputUsd: (walk: Walk) => walk.outputUsd,
  compactionUsd: (walk: Walk) => walk.askedUsd,
  recoveryUsd: (walk: Walk) => walk.recoveryUsd,
  rereadUsd: (walk: Walk) => walk.rereadUsd,
  fetches: (walk: Walk) => walk.fetches,
  requests: (walk: Walk) => walk.requests,
  readTokens: (walk: Walk) => walk.readTokens,
  uncachedTokens: (walk: Walk) => walk.writtenTokens + walk.outputTokens,
  tokensSent: (walk: Walk) => walk.tokensSent,
  ledgerTokens: (walk: Walk) => walk.ledgerTokens,
  prefixBusts: (walk: Walk) => walk.prefixBusts,
  compactions: (walk: Walk) => walk.compactions,
  blockedMs: (walk: Walk) => walk.blockedMs,
  hotRetained: (walk: Walk) => told(walk, "hot").retained,
  hotRecoverable: (walk: Walk) => told(walk, "hot").recoverable,
  hotLost: (walk: Walk) => told(walk, "hot").lost,
  coldRetained: (walk: Walk) => told(walk, "cold").retained,
  coldRecoverable: (walk: Walk) => told(walk, "cold").recoverable,
  coldLost: (walk: Walk) => told(walk, "cold").lost,
  editRetained: (walk: Walk) => told(walk, "editLines").retained,
  editRecoverable: (walk: Walk) => told(walk, "editLines").recoverable,
  editLost: (walk: Walk) => told(walk, "editLines").lost,
  fatal: (walk: Walk) => (walk.isWordless ? 0 : walk.fatal),
  collapses: (walk: Walk) => walk.collapses,
  collapsesAtBoundary: (walk: Walk) => walk.collapsesAtBoundary,
} as const;

type Sum = keyof typeof SUMS;
const READERS = Object.values(SUMS);
const PLACES: ReadonlyMap<string, number> = new Map(Object.keys(SUMS).map((name, index) => [name, index]));
const PEAK = READERS.length;

/** Those numbers in order; the last is the peak, for which the maximum counts. */
export type FigureRow = Float64Array;

export function toRow(walk: Walk): FigureRow {
  return Float64Array.of(...READERS.map((read) => read(walk)), walk.peakTokens);
}

/** The sum of rows, each counted `times`, once by default. */
export function sumRows(rows: readonly FigureRow[], times?: Uint16Array): FigureRow {
  const total = new Float64Array(PEAK + 1);
  for (const [index, row] of rows.entries()) {
    const often = times ? (times[index] ?? 0) : 1;
    if (often === 0) continue;
    for (let field = 0; field < PEAK; field++) total[field] = (total[field] ?? 0) + often * (row[field] ?? 0);
    total[PEAK] = Math.max(total[PEAK] ?? 0, row[PEAK] ?? 0);
  }
  return total;
}

export function toFigures(row: FigureRow): Figures {
  const at = (name: Sum): number => row[PLACES.get(name) ?? -1] ?? 0;
  const shareOf = (part: Sum, ...others: readonly Sum[]): number | undefined => {
    const all = others.reduce((sum, name) => sum + at(name), at(part));
    return all > 0 ? at(part) / all : undefined;
  };
  const hotRetained = shareOf("hotRetained", "hotRecoverable", "hotLost");
  const coldRetained = shareOf("coldRetained", "coldRecoverable", "coldLost");
  return {
    netUsd: at("sendUsd") + at("recoveryUsd") + at("rereadUsd"),
    sendUsd: at("sendUsd"),
    readUsd: at("readUsd"),
    writeUsd: at("writeUsd"),
    outputUsd: at("outputUsd"),
    compactionUsd: at("compactionUsd"),
    recoveryUsd: at("recoveryUsd"),
    rereadUsd: at("rereadUsd"),
    fetches: at("fetches"),
    requests: at("requests"),
    tokens: at("readTokens") + at("uncachedTokens"),
    uncachedTokens: at("uncachedTokens"),
    tokensSent: at("tokensSent"),
    ledgerTokens: at("ledgerTokens"),
    peakTokens: row[PEAK] ?? 0,
    prefixBusts: at("prefixBusts"),
    compactions: at("compactions"),
    blockedMs: at("blockedMs"),
    atBoundaries: at("collapses") > 0 ? at("collapsesAtBoundary") / at("collapses") : undefined,
    hotRetained,
    hotRecoverable: shareOf("hotRecoverable", "hotRetained", "hotLost"),
    hotLost: shareOf("hotLost", "hotRetained", "hotRecoverable"),
    coldRetained,
    coldRecoverable: shareOf("coldRecoverable", "coldRetained", "coldLost"),
    coldLost: shareOf("coldLost", "coldRetained", "coldRecoverable"),
    fatal: hotRetained === undefined && coldRetained === undefined ? undefined : at("fatal"),
    editLineRecall: shareOf("editRetained", "editRecoverable", "editLost"),
  };
}

/** The only figure that depends on a clock: it differs from run to run. */
export function planMsP95(walks: readonly Walk[]): number | undefined {
  const bin = quantileBin(mergeBins(walks.map(({ planBins }) => planBins)), 0.95);
  return bin === undefined ? undefined : ratioOfBin(bin);
}
