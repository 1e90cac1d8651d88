import type { CalibrationJudgement } from "./judge-calibration.ts";
import { quantile } from "./quantile.ts";

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
export interface Spread {
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
