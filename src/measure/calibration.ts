import type { Tokenizer } from "../models/tokens.ts";
import { LOAD_FIELDS, type Load } from "./load.ts";

/** How many real tokens one unit of each load field is, learned from recorded usage. */
export interface Calibration {
  readonly factors: Load;
  /** How many steps it was learned from; 0 for the seed. */
  readonly steps: number;
}

/** How much a request outgrew the previous one, and what joined in between. */
export interface Observation {
  readonly growthTokens: number;
  readonly load: Load;
}

/** Initial values: one seed token is one token; the cost of each frame was measured. */
const ONE_EACH = { toolResult: 1, toolInput: 1, text: 1, prompt: 1, injected: 1, thinking: 1 } as const;
const SEED_FACTORS: Readonly<Record<Tokenizer, Load>> = {
  classic: { ...ONE_EACH, calls: 77, results: 17, prompts: 10 },
  dense: { ...ONE_EACH, calls: 75, results: 16, prompts: 30 },
};

/** Plausible deviation of each factor from its seed, as a share of it. */
const SEED_SPREAD: Load = {
  toolResult: 0.15,
  toolInput: 0.15,
  text: 0.2,
  prompt: 0.3,
  injected: 0.5,
  thinking: 0.3,
  calls: 0.4,
  results: 1,
  prompts: 1,
};

export function seedCalibration(tokenizer: Tokenizer): Calibration {
  return { factors: SEED_FACTORS[tokenizer], steps: 0 };
}

export function predictTokens(load: Load, { factors }: Calibration): number {
  return LOAD_FIELDS.reduce((total, field) => total + load[field] * factors[field], 0);
}

const ROUNDS = 6;
/** Weight of the seed against the recorded steps; chosen on half of the recorded repositories. */
const PRIOR_WEIGHT = 3;
/** Residuals beyond this many standard deviations lose weight: they are reminders the client did not record. */
const ROBUST_AT = 2;
const NOISE_TOKENS = 60;
const NOISE_SHARE = 0.1;

/** Regression of growth on load, near the seed by its spread and robust against unrecorded content. With many steps the person's own sessions decide. */
export function calibrate(observations: readonly Observation[], tokenizer: Tokenizer): Calibration {
  const seed = seedCalibration(tokenizer);
  if (observations.length === 0) return seed;
  let current = seed;
  for (let round = 0; round < ROUNDS; round++) current = { ...current, factors: fitRound(observations, seed, current) };
  return { ...current, steps: observations.length };
}

function fitRound(observations: readonly Observation[], seed: Calibration, current: Calibration): Load {
  const size = LOAD_FIELDS.length;
  const matrix = LOAD_FIELDS.map(() => new Array<number>(size).fill(0));
  const vector = new Array<number>(size).fill(0);
  const add = (row: number, column: number, value: number): void => {
    const cells = matrix[row];
    if (cells) cells[column] = (cells[column] ?? 0) + value;
  };
  for (const [row, field] of LOAD_FIELDS.entries()) {
    const precision = PRIOR_WEIGHT / (seed.factors[field] * SEED_SPREAD[field]) ** 2;
    add(row, row, precision);
    vector[row] = precision * seed.factors[field];
  }
  for (const { growthTokens, load } of observations) {
    const predicted = predictTokens(load, current);
    const deviation = NOISE_TOKENS + NOISE_SHARE * Math.max(predicted, 0);
    const distance = Math.abs(growthTokens - predicted) / deviation;
    const weight = (distance > ROBUST_AT ? ROBUST_AT / distance : 1) / deviation ** 2;
    for (const [row, rowField] of LOAD_FIELDS.entries()) {
      if (load[rowField] === 0) continue;
      vector[row] = (vector[row] ?? 0) + weight * load[rowField] * growthTokens;
      for (const [column, columnField] of LOAD_FIELDS.entries())
        add(row, column, weight * load[rowField] * load[columnField]);
    }
  }
  const solved = solveLinear(matrix, vector);
  const factors = { ...seed.factors };
  for (const [index, field] of LOAD_FIELDS.entries())
    factors[field] = Math.max(0, solved[index] ?? seed.factors[field]);
  return factors;
}

/** Solves a square system by elimination with pivoting. A singular column gives 0 for its unknown. */
export function solveLinear(matrix: readonly (readonly number[])[], vector: readonly number[]): readonly number[] {
  const rows = matrix.map((row, index) => [...row, vector[index] ?? 0]);
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    const sizes = rows.map((row, index) => (index < column ? -1 : Math.abs(row[column] ?? 0)));
    const largest = Math.max(...sizes);
    if (largest < 1e-12) continue;
    const [pivot = []] = rows.splice(sizes.indexOf(largest), 1);
    rows.splice(column, 0, pivot);
    for (const [index, row] of rows.entries()) {
      if (index === column) continue;
      const share = (row[column] ?? 0) / (pivot[column] ?? 1);
      if (share === 0) continue;
      for (let at = column; at <= size; at++) row[at] = (row[at] ?? 0) - share * (pivot[at] ?? 0);
    }
  }
  return rows.map((row, index) => {
    const diagonal = row[index] ?? 0;
    return Math.abs(diagonal) < 1e-12 ? 0 : (row[size] ?? 0) / diagonal;
  });
}
