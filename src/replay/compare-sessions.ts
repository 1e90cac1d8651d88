import { median, quantile } from "../measure/quantile.ts";
import { type Figures, sumRows, toFigures, toRow } from "./figures.ts";
import type { Walk, WalkedSession } from "./outcome.ts";

export interface ComparedSession extends Pick<WalkedSession, "name" | "repository"> {
  readonly walk: Walk;
  readonly referenceWalk: Walk;
}

export interface Relative {
  readonly netUsd: number | undefined;
  /** 90 % interval, resampled over repositories; absent if all sessions are of one. */
  readonly netInterval: Interval | undefined;
  readonly sendUsd: number | undefined;
  readonly tokensSent: number | undefined;
  readonly requests: number | undefined;
  readonly tokens: number | undefined;
  readonly uncachedTokens: number | undefined;
  /** The median session, and the 95th percentile. */
  readonly sessionMedian: number | undefined;
  readonly sessionP95: number | undefined;
  readonly worst: { readonly name: string; readonly netUsd: number } | undefined;
  /** The share of the sessions that cost more. */
  readonly dearerShare: number | undefined;
}

export function compareSessions(sessions: readonly ComparedSession[]): Relative {
  const rows = sessions.map(({ walk }) => toRow(walk));
  const reference = sessions.map(({ referenceWalk }) => toRow(referenceWalk));
  const [whole, referenceWhole] = [toFigures(sumRows(rows)), toFigures(sumRows(reference))];
  const ratioOf = (name: keyof Relative & keyof Figures): number | undefined =>
    divide(whole[name], referenceWhole[name]);
  const nets = rows.map((row) => toFigures(row).netUsd);
  const referenceNets = reference.map((row) => toFigures(row).netUsd);
  const bySession = sessions.flatMap(({ name }, index) => {
    const netUsd = divide(nets[index] ?? 0, referenceNets[index] ?? 0);
    return netUsd === undefined ? [] : [{ name, netUsd }];
  });
  const ratios = bySession.map(({ netUsd }) => netUsd);
  const draws = drawResamples(sessions.map(({ repository }) => repository));
  return {
    netUsd: ratioOf("netUsd"),
    netInterval: findInterval(draws.map((times) => divide(weighSum(nets, times), weighSum(referenceNets, times)))),
    sendUsd: ratioOf("sendUsd"),
    tokensSent: ratioOf("tokensSent"),
    requests: ratioOf("requests"),
    tokens: ratioOf("tokens"),
    uncachedTokens: ratioOf("uncachedTokens"),
    sessionMedian: median(ratios),
    sessionP95: quantile(ratios, 0.95),
    worst: bySession.reduce<Relative["worst"]>(
      (worst, one) => (worst && worst.netUsd >= one.netUsd ? worst : one),
      undefined,
    ),
    // Sums in another order differ in their last digits.
    dearerShare: divide(ratios.filter((ratio) => ratio > 1 + 1e-9).length, ratios.length),
  };
}

function weighSum(values: readonly number[], times: Uint16Array): number {
  return values.reduce((sum, value, index) => sum + value * (times[index] ?? 0), 0);
}

export function divide(part: number, whole: number): number | undefined {
  return whole > 0 ? part / whole : undefined;
}

/** A 90 % interval of resampled totals. */
export type Interval = Readonly<Record<"low" | "high", number>>;

const RESAMPLES = 1000;
const OUTSIDE = 0.05;
const SEED = 0x706c696d;

/**
 * How often each session is drawn in each resample. Whole repositories are drawn: sessions of one repository are alike, so drawing single
 * sessions would overstate the certainty. With one repository nothing can be drawn. The same draws every time.
 */
export function drawResamples(repositories: readonly string[]): readonly Uint16Array[] {
  const names = [...new Set(repositories)];
  if (names.length < 2) return [];
  const numbers = repositories.map((name) => names.indexOf(name));
  const draw = createGenerator(SEED);
  return Array.from({ length: RESAMPLES }, () => {
    const often = new Uint16Array(names.length);
    for (let index = 0; index < names.length; index++) {
      const chosen = Math.floor(draw() * names.length);
      often[chosen] = (often[chosen] ?? 0) + 1;
    }
    return Uint16Array.from(numbers, (number) => often[number] ?? 0);
  });
}

/** `undefined` if fewer than half of the resamples have a value. */
export function findInterval(values: readonly (number | undefined)[]): Interval | undefined {
  const known = values.filter((value) => value !== undefined).sort((left, right) => left - right);
  if (known.length === 0 || known.length * 2 < values.length) return undefined;
  const at = (share: number): number => known[Math.min(known.length - 1, Math.floor(known.length * share))] ?? 0;
  return { low: at(OUTSIDE), high: at(1 - OUTSIDE) };
}

/** Mulberry32: numbers in [0, 1), the same for the same seed on every machine. */
function createGenerator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
