/** If red: the published agreement between replay and recorded usage is better than it is. */
import { describe, expect, it } from "vitest";
import type { DollarCheck } from "../../src/replay/check-dollars.ts";
import { type CheckedSession, countByShare, summariseCheck } from "./summarise-check.ts";

function session(
  name: string,
  { estimatorErrors = {}, ...check }: Partial<DollarCheck & Pick<CheckedSession, "estimatorErrors">>,
): CheckedSession {
  const whole: DollarCheck = {
    billedUsd: 0,
    recordedUsd: 1,
    simulatedUsd: 1,
    withMissesUsd: 1,
    withHitsUsd: 1,
    unexplainedMisses: 0,
    unexplainedHits: 0,
    recordedCompactions: 0,
    simulatedCompactions: 0,
    unfollowedDrops: 0,
    largestView: 0.5,
    ...check,
  };
  return { name, repository: name, client: name, steps: 100, check: whole, estimatorErrors };
}

describe("the check", () => {
  const summary = summariseCheck([
    session("a", {
      recordedUsd: 10,
      simulatedUsd: 9,
      withMissesUsd: 10,
      unexplainedMisses: 2,
      estimatorErrors: { [-30]: 5, 10: 4 },
    }),
    session("b", { recordedUsd: 30, simulatedUsd: 33, withMissesUsd: 33, estimatorErrors: { 250: 1 } }),
  ]);

  it("counts a share to a thousandth, with its sign", () => {
    expect(countByShare([-0.1234, 0.5, 0.5])).toEqual({ [-123]: 1, 500: 2 });
  });

  it("tells the estimator's error without its sign, and the middle one with it", () => {
    expect(summary.requests).toBe(10);
    expect(summary.estimator.medianAbsoluteError).toBeCloseTo(0.03, 10);
    expect(summary.estimator.p95AbsoluteError).toBeCloseTo(0.25, 10);
    expect(summary.estimator.medianError).toBeCloseTo(0.01, 10);
  });

  it("counts errors in buckets that hold every request once", () => {
    const reported = summary.estimator.distribution.filter(({ count }) => count > 0);
    expect(reported).toEqual([
      { from: -0.05, count: 5 },
      { from: 0, count: 4 },
      { from: 0.2, count: 1 },
    ]);
  });

  it("tells dollars by session and in total, in both readings", () => {
    const { asTimeStampsExplain, withRecordedMisses } = summary.dollars;
    expect(asTimeStampsExplain).toMatchObject({
      simulatedUsd: 42,
      medianRatio: 1.1,
      p10Ratio: 0.9,
      totalRatio: 42 / 40,
    });
    expect(withRecordedMisses).toMatchObject({ simulatedUsd: 43, p10Ratio: 1, totalRatio: 43 / 40 });
    expect(asTimeStampsExplain.totalInterval).toEqual({ low: 0.9, high: 1.1 });
    expect(summary).toMatchObject({ recordedUsd: 40, unexplainedMisses: 2 });
  });

  it("holds each client to what it recorded, and names what is in no sum of dollars", () => {
    const of = (client: string, name: string, [recordedUsd, simulatedUsd]: readonly [number, number]) => ({
      ...session(name, { recordedUsd, simulatedUsd, largestView: simulatedUsd / 10 }),
      client,
      steps: 2,
    });
    const checks = [
      of("pi", "half", [4, 2]),
      of("pi", "near", [10, 10.2]),
      of("pi", "low", [2, 1.8]),
      of("Codex", "dear", [1, 1.1]),
    ];
    const summary = summariseCheck(checks, 3);
    expect(summary).toMatchObject({ sessions: [], largestView: undefined });
    expect(summary.clients).toMatchObject([
      { client: "Codex", all: { sessions: 1, ratio: 1.1 }, counted: { sessions: 0, ratio: undefined } },
      { client: "pi", all: { sessions: 3, ratio: 14 / 16 }, counted: { sessions: 2, recordedUsd: 12, ratio: 1 } },
    ]);
    expect(summary.clients.map(({ leftOut }) => leftOut.map(({ name }) => name))).toEqual([["dear"], ["half"]]);
    expect(summariseCheck(checks).largestView).toEqual({ name: "near", share: 1.02 });
  });

  it("says nothing of no sessions", () => {
    const empty = summariseCheck([]);
    expect(empty.dollars.asTimeStampsExplain).toMatchObject({ totalRatio: undefined, totalInterval: undefined });
    expect(empty.estimator.medianAbsoluteError).toBeUndefined();
  });
});
