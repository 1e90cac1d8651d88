/** If red: plimsoll prove reports a saving that the paired runs do not show. */
import { describe, expect, it } from "vitest";
import { zeroUsage } from "../../../core/usage.ts";
import { judgePairs, type Pair, renderProof } from "../commands/programs/prove.ts";
import type { TaskRun } from "./run-task.ts";

// The figure that a person may publish: a ratio of sums, with an interval, of whole pairs alone.
const run = (usd: number, rest: Partial<TaskRun> = {}): TaskRun => ({
  usd,
  isAtLeast: false,
  clientUsd: usd,
  requests: 10,
  usage: { ...zeroUsage, inputTokens: 1200, outputTokens: 300 },
  compactions: 0,
  models: ["m"],
  seconds: 5,
  hasPassed: undefined,
  problem: undefined,
  ...rest,
});
const pair = (task: string, [one, other]: readonly [TaskRun, TaskRun]): Pair => ({
  task,
  first: "with",
  with: one,
  without: other,
});

describe("the result of pairs of runs", () => {
  it("is the ratio of what was billed, and its interval holds it", () => {
    const pairs = [pair("a", [run(1), run(2)]), pair("a", [run(3), run(4)]), pair("b", [run(1), run(2)])];
    const { ratio, interval, withUsd, withoutUsd } = judgePairs(pairs);
    expect([ratio, withUsd, withoutUsd]).toEqual([5 / 8, 5, 8]);
    expect(interval?.low).toBeLessThanOrEqual(5 / 8);
    expect(interval?.high).toBeGreaterThanOrEqual(5 / 8);
    expect(interval?.low).not.toBe(interval?.high);
  });

  it("draws whole tasks from three tasks on: pairs of one task are alike", () => {
    const alike = ["a", "b", "c"].flatMap((task) => [pair(task, [run(1), run(2)]), pair(task, [run(3), run(2)])]);
    expect(judgePairs(alike).interval).toEqual({ low: 1, high: 1 });
    expect(judgePairs(alike.slice(0, 4)).interval?.low).toBeLessThan(1);
  });

  it("leaves out a pair of which one run failed, and says so", () => {
    const failed = pair("b", [run(9), run(1, { problem: "the client ended with error_max_turns" })]);
    const pairs = [pair("a", [run(1), run(2)]), failed];
    const result = judgePairs(pairs);
    expect(result).toMatchObject({ pairs: 1, ratio: 0.5, interval: undefined });
    const text = renderProof(pairs, result);
    expect(text).toContain("the client ended with error_max_turns");
    expect(text).toContain("1 of 2 pairs are left out");
    expect(text).toContain("one pair has no interval");
  });

  it("counts checks on both sides, and says where nothing was checked", () => {
    const passed = { hasPassed: true };
    const checked = [
      pair("a", [run(1, passed), run(2, { hasPassed: false })]),
      pair("b", [run(1, passed), run(1, passed)]),
    ];
    expect(judgePairs(checked).checks).toEqual({ with: 2, without: 1, of: 2 });
    expect(renderProof(checked, judgePairs(checked))).toContain("Checks passed: 2 of 2 with Plimsoll, 1 of 2 without.");
    const unchecked = [pair("a", [run(1), run(2)])];
    expect(renderProof(unchecked, judgePairs(unchecked))).toContain("this says nothing of the work itself");
  });

  it("is none where nothing was billed", () => {
    expect(judgePairs([])).toMatchObject({ pairs: 0, ratio: undefined, interval: undefined });
    expect(renderProof([], judgePairs([]))).toContain("There is no result");
  });
});
