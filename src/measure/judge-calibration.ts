import { tokenizerOf } from "../models/tokens.ts";
import { calibrate, type Observation, predictTokens } from "./calibration.ts";
import { observeGrowth } from "./meter.ts";
import { quantile } from "./quantile.ts";
import type { Recording } from "./recording.ts";

/** How well half of a session's steps predict the growth of the other half. */
export interface CalibrationJudgement {
  readonly model: string;
  readonly steps: number;
  /** Signed, as a share of the growth that was recorded: odd steps from even ones, even from odd, later half from earlier. */
  readonly errors: { readonly alternating: readonly [number, number]; readonly laterHalf: number };
  /** Absolute share per single step of the alternating halves, for steps that grew by more than 200 tokens. */
  readonly stepErrors: readonly number[];
}

/** With fewer steps a half teaches nothing and a single unrecorded reminder decides the outcome. */
const LEAST_STEPS = 40;
const LEAST_STEP_GROWTH = 200;

export function judgeCalibration(recording: Recording): CalibrationJudgement | undefined {
  const observations = observeGrowth(recording);
  const [first] = observations;
  if (!first || observations.length < LEAST_STEPS) return undefined;
  const even = observations.filter((_, index) => index % 2 === 0);
  const odd = observations.filter((_, index) => index % 2 === 1);
  const half = Math.floor(observations.length / 2);
  const judge = (known: readonly Observation[], asked: readonly Observation[]) =>
    predictHalf(known, asked, first.model);
  const [oddError, evenError] = [judge(even, odd), judge(odd, even)];
  return {
    model: first.model,
    steps: observations.length,
    errors: {
      alternating: [oddError.error, evenError.error],
      laterHalf: judge(observations.slice(0, half), observations.slice(half)).error,
    },
    stepErrors: [...oddError.stepErrors, ...evenError.stepErrors],
  };
}

function predictHalf(known: readonly Observation[], asked: readonly Observation[], model: string) {
  const calibration = calibrate(known, tokenizerOf(model));
  let grown = 0;
  let predicted = 0;
  const stepErrors: number[] = [];
  for (const { growthTokens, load } of asked) {
    const prediction = predictTokens(load, calibration);
    grown += growthTokens;
    predicted += prediction;
    if (growthTokens > LEAST_STEP_GROWTH) stepErrors.push(Math.abs(prediction - growthTokens) / growthTokens);
  }
  return { error: grown > 0 ? (predicted - grown) / grown : 0, stepErrors };
}

/** How far the estimator was off for one model, or for all of them. */
export interface ErrorRow {
  readonly model: string;
  readonly sessions: number;
  readonly steps: number;
  readonly alternating: Spread;
  readonly laterHalf: Spread;
  readonly singleStep: Spread;
}

/** Absolute errors, as shares. */
interface Spread {
  readonly median: number;
  readonly p95: number;
}

/** A row per model by name, then one for `all`. */
export function tellErrors(judged: readonly CalibrationJudgement[]): readonly ErrorRow[] {
  const models = [...new Set(judged.map(({ model }) => model))].sort();
  const rows = models.map((model) =>
    tellRow(
      model,
      judged.filter((session) => session.model === model),
    ),
  );
  return [...rows, tellRow("all", judged)];
}

function tellRow(model: string, judged: readonly CalibrationJudgement[]): ErrorRow {
  return {
    model,
    sessions: judged.length,
    steps: judged.reduce((sum, { steps }) => sum + steps, 0),
    alternating: spread(judged.flatMap(({ errors }) => errors.alternating)),
    laterHalf: spread(judged.map(({ errors }) => errors.laterHalf)),
    singleStep: spread(judged.flatMap(({ stepErrors }) => stepErrors)),
  };
}

function spread(errors: readonly number[]): Spread {
  const absolute = errors.map(Math.abs);
  return { median: quantile(absolute, 0.5) ?? 0, p95: quantile(absolute, 0.95) ?? 0 };
}
