import type { TokenWeights } from "../core/layer.ts";
import type { CachingRequest } from "../models/economics/cache-state.ts";
import { solveLinear } from "./calibration.ts";

/** What was spent between two readings of a limit, and by how many percent it moved. */
export interface LimitMove {
  readonly readTokens: number;
  /** Uncached input and cache writes. */
  readonly writeTokens: number;
  readonly outputTokens: number;
  readonly percent: number;
}

export interface FittedWeights {
  /** Relative to a written token. */
  readonly weights: TokenWeights;
  /** Half of the 90 % interval of fits to resampled readings. */
  readonly uncertainty: { readonly read: number; readonly output: number };
  readonly moves: number;
  readonly isSure: boolean;
}

/** Three unknowns, each of which must show in several moves. */
const LEAST_MOVES = 30;
/** The weight of cache reads decides how early it pays to collapse; if it is uncertain by more than half, nothing is decided. */
const MOST_UNCERTAIN = 0.5;
const DRAWS = 200;

/**
 * What a limit counts per kind of token, from a person's own readings: least squares with no negative weights. Readings are whole percents,
 * so each has its own error; resampling the readings shows how certain the fit is. `undefined` if nothing can be said.
 */
export function fitWeights(moves: readonly LimitMove[]): FittedWeights | undefined {
  const whole = solve(moves);
  if (moves.length < LEAST_MOVES || whole === undefined) return undefined;
  const drawn = drawAgain(moves).flatMap((drawing) => solve(drawing) ?? []);
  const read = halfInterval(drawn.map((weights) => weights.read));
  const output = halfInterval(drawn.map((weights) => weights.output));
  const isSure = drawn.length === DRAWS && read <= MOST_UNCERTAIN * Math.max(whole.read, 0.1);
  return { weights: whole, uncertainty: { read, output }, moves: moves.length, isSure };
}

type Vector = readonly [number, number, number];

/** Tries all seven subsets of the three kinds; the best one without a negative weight wins. */
function solve(moves: readonly LimitMove[]): TokenWeights | undefined {
  const rows = moves.map(
    ({ readTokens, writeTokens, outputTokens }): Vector => [readTokens, writeTokens, outputTokens],
  );
  const percents = moves.map(({ percent }) => percent);
  let best: { readonly weights: Vector; readonly error: number } | undefined;
  for (let subset = 1; subset < 8; subset++) {
    const weights = solveSubset(rows, percents, subset);
    if (!weights.every((weight) => weight >= 0)) continue;
    const error = rows.reduce((sum, row, index) => sum + (dot(row, weights) - (percents[index] ?? 0)) ** 2, 0);
    if (best === undefined || error < best.error) best = { weights, error };
  }
  const [read, write, output] = best?.weights ?? [0, 0, 0];
  return write > 0 ? { read: read / write, write: 1, output: output / write } : undefined;
}

/** The normal equations of the kinds in a subset; the others count nothing. */
function solveSubset(rows: readonly Vector[], percents: readonly number[], subset: number): Vector {
  const kinds = ([0, 1, 2] as const).filter((kind) => subset & (1 << kind));
  const solved = solveLinear(
    kinds.map((left) => kinds.map((right) => rows.reduce((sum, row) => sum + row[left] * row[right], 0))),
    kinds.map((left) => rows.reduce((sum, row, index) => sum + row[left] * (percents[index] ?? 0), 0)),
  );
  const weightOf = (kind: 0 | 1 | 2): number => solved[kinds.indexOf(kind)] ?? 0;
  return [weightOf(0), weightOf(1), weightOf(2)];
}

function dot(left: Vector, right: Vector): number {
  return left[0] * right[0] + left[1] * right[1] + left[2] * right[2];
}

/** The same draws for the same readings, so that asking twice gives the same figure. */
function drawAgain(moves: readonly LimitMove[]): readonly (readonly LimitMove[])[] {
  let state = 1;
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return Array.from({ length: DRAWS }, () => moves.flatMap(() => moves[Math.floor(next() * moves.length)] ?? []));
}

function halfInterval(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return (at(0.95) - at(0.05)) / 2;
}

/** One reading of a limit, in percent, whole or fractional. */
export interface LimitReading {
  readonly atMs: number;
  readonly usedPercent: number;
  /** When the limit resets; readings of two periods are unrelated. */
  readonly resetsAt: number | undefined;
}

export interface LimitMoves {
  /** The model with the most requests: what a limit counts depends on it, so moves with another one say nothing. */
  readonly model: string;
  readonly moves: readonly LimitMove[];
  readonly readings: number;
}

/** From one reading to the next: how much the limit moved, and what was spent. A move without recorded requests was spent elsewhere, and is left out. */
export function listLimitMoves(readings: readonly LimitReading[], requests: readonly CachingRequest[]): LimitMoves {
  const model = findCommonest(requests.map((request) => request.model));
  const byTime = [...readings].sort((left, right) => left.atMs - right.atMs);
  const dated = requests
    .flatMap((request) => (request.atMs === undefined ? [] : [{ ...request, atMs: request.atMs }]))
    .sort((left, right) => left.atMs - right.atMs);
  const moves: LimitMove[] = [];
  let next = 0;
  for (const [index, reading] of byTime.entries()) {
    const spent: CachingRequest[] = [];
    for (let request = dated[next]; request && request.atMs <= reading.atMs; request = dated[++next])
      spent.push(request);
    const before = byTime[index - 1];
    if (!before || before.resetsAt !== reading.resetsAt || spent.length === 0) continue;
    const percent = reading.usedPercent - before.usedPercent;
    if (percent <= 0 || spent.some((request) => request.model !== model)) continue;
    moves.push({ ...sumKinds(spent), percent });
  }
  return { model, moves, readings: byTime.length };
}

function sumKinds(spent: readonly CachingRequest[]): Omit<LimitMove, "percent"> {
  const sum = { readTokens: 0, writeTokens: 0, outputTokens: 0 };
  for (const { usage } of spent) {
    sum.readTokens += usage.cacheReadTokens;
    sum.writeTokens += usage.inputTokens + usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;
    sum.outputTokens += usage.outputTokens;
  }
  return sum;
}

function findCommonest(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), ["", 0] as const)[0];
}
