import { quantile } from "../measure/quantile.ts";
import { type FigureRow, type Figures, sumRows, toFigures, toRow } from "./figures.ts";
import { drawResamples, findInterval, type Interval } from "./resample.ts";
import type { Walk } from "./walk.ts";

/** One session under a policy and under the one that it is compared with. */
export interface ComparedSession {
  readonly name: string;
  readonly repository: string;
  readonly walk: Walk;
  readonly beside: Walk;
}

/** A policy compared with what the client did, over some sessions. */
export interface Relative {
  readonly netUsd: number | undefined;
  /** Nine of ten resamples of the repositories lie in it; absent where all sessions are of one. */
  readonly netInterval: Interval | undefined;
  readonly sendUsd: number | undefined;
  readonly tokensSent: number | undefined;
  readonly requests: number | undefined;
  readonly tokens: number | undefined;
  readonly uncachedTokens: number | undefined;
  /** The middle session, and the one that nineteen of twenty stay below. */
  readonly sessionMedian: number | undefined;
  readonly sessionP95: number | undefined;
  readonly worst: { readonly name: string; readonly netUsd: number } | undefined;
  /** The share of the sessions that cost more. */
  readonly dearerShare: number | undefined;
}

export function compareSessions(sessions: readonly ComparedSession[]): Relative {
  const rows = sessions.map(({ walk }) => toRow(walk));
  const reference = sessions.map(({ beside }) => toRow(beside));
  const [whole, besideWhole] = [toFigures(sumRows(rows)), toFigures(sumRows(reference))];
  const ratioOf = (name: RelativeFigure): number | undefined => divide(whole[name], besideWhole[name]);
  const bySession = sessions.flatMap(({ name }, index) => {
    const netUsd = divide(netOf(rows, index), netOf(reference, index));
    return netUsd === undefined ? [] : [{ name, netUsd }];
  });
  const ratios = bySession.map(({ netUsd }) => netUsd);
  return {
    netUsd: ratioOf("netUsd"),
    netInterval: findNetInterval(sessions, rows, reference),
    sendUsd: ratioOf("sendUsd"),
    tokensSent: ratioOf("tokensSent"),
    requests: ratioOf("requests"),
    tokens: ratioOf("tokens"),
    uncachedTokens: ratioOf("uncachedTokens"),
    sessionMedian: quantile(ratios, 0.5),
    sessionP95: quantile(ratios, 0.95),
    worst: bySession.reduce<Relative["worst"]>(
      (worst, one) => (worst && worst.netUsd >= one.netUsd ? worst : one),
      undefined,
    ),
    dearerShare: divide(ratios.filter(isDearer).length, ratios.length),
  };
}

type RelativeFigure = keyof Relative & keyof Figures;

/** Sums of the same numbers in another order differ in their last digits. */
function isDearer(ratio: number): boolean {
  return ratio > 1 + 1e-9;
}

function findNetInterval(
  sessions: readonly ComparedSession[],
  rows: readonly FigureRow[],
  reference: readonly FigureRow[],
): Interval | undefined {
  const nets = rows.map((_, index) => netOf(rows, index));
  const besideNets = rows.map((_, index) => netOf(reference, index));
  const draws = drawResamples(sessions.map(({ repository }) => repository));
  return findInterval(draws.map((times) => divide(weighSum(nets, times), weighSum(besideNets, times))));
}

function netOf(rows: readonly FigureRow[], index: number): number {
  const row = rows[index];
  return row ? toFigures(row).netUsd : 0;
}

function weighSum(values: readonly number[], times: Uint16Array): number {
  return values.reduce((sum, value, index) => sum + value * (times[index] ?? 0), 0);
}

export function divide(part: number, whole: number): number | undefined {
  return whole > 0 ? part / whole : undefined;
}
