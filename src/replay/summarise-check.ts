import { quantile } from "../measure/quantile.ts";
import { type Bins, mergeBins, quantileBin, shareOfBin } from "./bins.ts";
import type { DollarCheck } from "./check-dollars.ts";
import { drawResamples, findInterval, type Interval } from "./resample.ts";

/** The simulator against what was recorded, for one session. */
export interface SessionCheck extends DollarCheck {
  /** Signed errors of the estimator alone, one a request, as shares of the recorded size. */
  readonly estimatorErrors: Bins;
}

export interface CheckSummary {
  readonly requests: number;
  readonly unexplainedMisses: number;
  readonly recordedUsd: number;
  readonly estimator: {
    readonly medianAbsoluteError: number | undefined;
    readonly p95AbsoluteError: number | undefined;
    readonly medianError: number | undefined;
    readonly distribution: readonly Bucket[];
  };
  readonly dollars: { readonly asTimeStampsExplain: Reading; readonly withRecordedMisses: Reading };
  readonly sessions: readonly ({ readonly name: string } & DollarCheck)[];
}

/** Simulated dollars over recorded ones, session by session. */
export interface Reading {
  readonly simulatedUsd: number;
  readonly medianRatio: number | undefined;
  readonly p10Ratio: number | undefined;
  readonly p90Ratio: number | undefined;
  readonly totalRatio: number | undefined;
  readonly totalInterval: Interval | undefined;
  readonly distribution: readonly Bucket[];
}

export interface Bucket {
  /** From this value on; absent in the first. */
  readonly from: number | undefined;
  readonly count: number;
}

const ERROR_EDGES = [-0.2, -0.1, -0.05, -0.02, 0, 0.02, 0.05, 0.1, 0.2];
const RATIO_EDGES = [0.7, 0.8, 0.9, 0.95, 0.98, 1.02, 1.05, 1.1, 1.2];

type NamedCheck = { readonly name: string; readonly check: SessionCheck };

export function summariseCheck(sessions: readonly NamedCheck[]): CheckSummary {
  const checks = sessions.map(({ check }) => check);
  const errors = mergeBins(checks.map(({ estimatorErrors }) => estimatorErrors));
  const absolute = mergeBins(Object.entries(errors).map(([bin, count]) => ({ [Math.abs(Number(bin))]: count })));
  const toShare = (bin: number | undefined): number | undefined => (bin === undefined ? undefined : shareOfBin(bin));
  return {
    requests: Object.values(errors).reduce((sum, count) => sum + count, 0),
    unexplainedMisses: checks.reduce((sum, { unexplainedMisses }) => sum + unexplainedMisses, 0),
    recordedUsd: checks.reduce((sum, { recordedUsd }) => sum + recordedUsd, 0),
    estimator: {
      medianAbsoluteError: toShare(quantileBin(absolute, 0.5)),
      p95AbsoluteError: toShare(quantileBin(absolute, 0.95)),
      medianError: toShare(quantileBin(errors, 0.5)),
      distribution: spread(
        Object.entries(errors).map(([bin, count]) => [shareOfBin(Number(bin)), count]),
        ERROR_EDGES,
      ),
    },
    dollars: {
      asTimeStampsExplain: readDollars(checks, ({ simulatedUsd }) => simulatedUsd),
      withRecordedMisses: readDollars(checks, ({ withMissesUsd }) => withMissesUsd),
    },
    sessions: sessions.map(({ name, check: { estimatorErrors: _, ...dollars } }) => ({ name, ...dollars })),
  };
}

function readDollars(checks: readonly DollarCheck[], simulate: (check: DollarCheck) => number): Reading {
  const pairs = checks
    .filter(({ recordedUsd }) => recordedUsd > 0)
    .map((check) => ({ simulated: simulate(check), recorded: check.recordedUsd }));
  const ratios = pairs.map(({ simulated, recorded }) => simulated / recorded);
  const drawn = drawResamples(pairs.length).map((times) => divideSums(pairs, times));
  return {
    simulatedUsd: pairs.reduce((sum, { simulated }) => sum + simulated, 0),
    medianRatio: quantile(ratios, 0.5),
    p10Ratio: quantile(ratios, 0.1),
    p90Ratio: quantile(ratios, 0.9),
    totalRatio: divideSums(pairs),
    totalInterval: findInterval(drawn),
    distribution: spread(
      ratios.map((ratio) => [ratio, 1]),
      RATIO_EDGES,
    ),
  };
}

type Pair = { readonly simulated: number; readonly recorded: number };

function divideSums(pairs: readonly Pair[], times?: Uint16Array): number | undefined {
  let [above, below] = [0, 0];
  for (const [index, { simulated, recorded }] of pairs.entries()) {
    const often = times ? (times[index] ?? 0) : 1;
    above += often * simulated;
    below += often * recorded;
  }
  return below > 0 ? above / below : undefined;
}

function spread(
  values: readonly (readonly [value: number, count: number])[],
  edges: readonly number[],
): readonly Bucket[] {
  return [undefined, ...edges].map((from, index) => {
    const to = edges[index] ?? Number.POSITIVE_INFINITY;
    const inside = values.filter(([value]) => value >= (from ?? Number.NEGATIVE_INFINITY) && value < to);
    return { from, count: inside.reduce((sum, [, count]) => sum + count, 0) };
  });
}
