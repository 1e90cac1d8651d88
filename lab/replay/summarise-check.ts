import { quantile } from "../../src/measure/quantile.ts";
import { type Bins, countBins, mergeBins, quantileBin } from "../../src/replay/bins.ts";
import { type DollarCheck, explainLeftOut, type NamedCheck } from "../../src/replay/check-dollars.ts";
import { drawResamples, findInterval, type Interval } from "../../src/replay/compare-sessions.ts";
import type { LeftOut } from "../../src/replay/session.ts";

/** A session with the signed errors of the estimator alone, one per request, as shares of the recorded size. */
export interface CheckedSession extends Omit<NamedCheck, "path"> {
  readonly estimatorErrors: Bins;
}

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
  /** Client by client, short sessions included, as `plimsoll replay` adds them up. */
  readonly clients: readonly ClientCheck[];
  readonly sessions: readonly ({ readonly name: string } & DollarCheck)[];
}

/** One client: all of its sessions, those of them that are in sums of dollars, and the others by name. */
export interface ClientCheck {
  readonly client: string;
  readonly all: ClientTotal;
  readonly counted: ClientTotal;
  readonly leftOut: readonly LeftOut[];
}

interface ClientTotal {
  readonly sessions: number;
  readonly recordedUsd: number;
  /** Simulated over recorded dollars. */
  readonly ratio: number | undefined;
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

/** Sessions of fewer requests are in the rows of their clients alone. */
export function summariseCheck(given: readonly CheckedSession[], minSteps = 0): CheckSummary {
  const sessions = given.filter(({ steps }) => steps >= minSteps);
  const checks = sessions.map(({ check }) => check);
  const errors = mergeBins(sessions.map(({ estimatorErrors }) => estimatorErrors));
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
    clients: checkClients(given),
    sessions: sessions.map(({ name, check }) => ({ name, ...check })),
  };
}

const SHARE_STEP = 0.001;

export function countByShare(values: readonly number[]): Bins {
  return countBins(values.map((value) => Math.round(value / SHARE_STEP)));
}

function shareOfBin(bin: number): number {
  return bin * SHARE_STEP;
}

function checkClients(sessions: readonly CheckedSession[]): readonly ClientCheck[] {
  const reasons = explainLeftOut(sessions);
  return [...new Set(sessions.map(({ client }) => client))].sort().map((client) => {
    const all = sessions.filter((session) => session.client === client);
    const leftOut = all.flatMap(({ name }) => {
      const why = reasons.get(name);
      return why === undefined ? [] : [{ name, why }];
    });
    return { client, all: addUp(all), counted: addUp(all.filter(({ name }) => !reasons.has(name))), leftOut };
  });
}

function addUp(sessions: readonly CheckedSession[]): ClientTotal {
  const pairs = sessions.map(({ check }) => ({ simulated: check.simulatedUsd, recorded: check.recordedUsd }));
  const recordedUsd = pairs.reduce((sum, { recorded }) => sum + recorded, 0);
  return { sessions: sessions.length, recordedUsd, ratio: divideSums(pairs) };
}

function findLargestView(sessions: readonly CheckedSession[]): CheckSummary["largestView"] {
  let largest: CheckSummary["largestView"];
  for (const { name, check } of sessions)
    if (check.largestView > (largest?.share ?? 0)) largest = { name, share: check.largestView };
  return largest;
}

function readDollars(sessions: readonly CheckedSession[], simulate: (check: DollarCheck) => number): Reading {
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
