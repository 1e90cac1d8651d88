import { quantile } from "../../src/measure/quantile.ts";
import { mergeBins, quantileBin, shareOfBin } from "../../src/replay/bins.ts";
import type { DollarCheck, NamedCheck } from "../../src/replay/check-dollars.ts";
import { type Apart, findApart } from "../../src/replay/find-apart.ts";
import { drawResamples, findInterval, type Interval } from "../../src/replay/resample.ts";

export interface CheckSummary {
  readonly requests: number;
  readonly unexplainedMisses: number;
  readonly unexplainedHits: number;
  /** With the compactions' own requests. */
  readonly recordedUsd: number;
  readonly recordedCompactions: number;
  readonly simulatedCompactions: number;
  /** The largest simulated request of all, as a share of its window: above 1 nothing of it could have been sent. */
  readonly largestView: { readonly name: string; readonly share: number } | undefined;
  readonly estimator: {
    readonly medianAbsoluteError: number | undefined;
    readonly p95AbsoluteError: number | undefined;
    readonly medianError: number | undefined;
    readonly distribution: readonly Bucket[];
  };
  readonly dollars: {
    readonly asTimeStampsExplain: Reading;
    readonly withRecordedMisses: Reading;
    /** Misses and hits that time stamps do not explain, both as recorded: what is left are sizes and compactions. */
    readonly withRecordedCache: Reading;
  };
  /** Sessions whose simulated dollars are far from the recorded ones, and why, as far as that is known. */
  readonly apart: readonly NamedApart[];
  readonly sessions: readonly ({ readonly name: string } & DollarCheck)[];
}

export interface NamedApart extends Apart {
  readonly name: string;
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

export function summariseCheck(sessions: readonly NamedCheck[]): CheckSummary {
  const checks = sessions.map(({ check }) => check);
  const errors = mergeBins(checks.map(({ estimatorErrors }) => estimatorErrors));
  const absolute = mergeBins(Object.entries(errors).map(([bin, count]) => ({ [Math.abs(Number(bin))]: count })));
  const toShare = (bin: number | undefined): number | undefined => (bin === undefined ? undefined : shareOfBin(bin));
  return {
    requests: Object.values(errors).reduce((sum, count) => sum + count, 0),
    unexplainedMisses: checks.reduce((sum, { unexplainedMisses }) => sum + unexplainedMisses, 0),
    unexplainedHits: checks.reduce((sum, { unexplainedHits }) => sum + unexplainedHits, 0),
    recordedUsd: checks.reduce((sum, { recordedUsd }) => sum + recordedUsd, 0),
    recordedCompactions: checks.reduce((sum, { recordedCompactions }) => sum + recordedCompactions, 0),
    simulatedCompactions: checks.reduce((sum, { simulatedCompactions }) => sum + simulatedCompactions, 0),
    largestView: findLargestView(sessions),
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
      asTimeStampsExplain: readDollars(sessions, ({ simulatedUsd }) => simulatedUsd),
      withRecordedMisses: readDollars(sessions, ({ withMissesUsd }) => withMissesUsd),
      withRecordedCache: readDollars(sessions, ({ withHitsUsd }) => withHitsUsd),
    },
    apart: sessions.flatMap(({ name, check }) => {
      const apart = findApart(check);
      return apart ? [{ name, ...apart }] : [];
    }),
    sessions: sessions.map(({ name, check: { estimatorErrors: _, ...dollars } }) => ({ name, ...dollars })),
  };
}

function findLargestView(sessions: readonly NamedCheck[]): CheckSummary["largestView"] {
  let largest: CheckSummary["largestView"];
  for (const { name, check } of sessions)
    if (check.largestView > (largest?.share ?? 0)) largest = { name, share: check.largestView };
  return largest;
}

function readDollars(sessions: readonly NamedCheck[], simulate: (check: DollarCheck) => number): Reading {
  const priced = sessions.filter(({ check }) => check.recordedUsd > 0);
  const pairs = priced.map(({ check }) => ({ simulated: simulate(check), recorded: check.recordedUsd }));
  const ratios = pairs.map(({ simulated, recorded }) => simulated / recorded);
  const drawn = drawResamples(priced.map(({ repository }) => repository)).map((times) => divideSums(pairs, times));
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
