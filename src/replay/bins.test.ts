/** If red: percentiles of a replay are off by more than a fortieth. */
import { describe, expect, it } from "vitest";
import { countByRatio, mergeBins, quantileBin, ratioOfBin } from "./bins.ts";

describe("bins", () => {
  it("tell a value to a fortieth of its size, however small or large", () => {
    for (const value of [0.0004, 0.03, 1, 17, 9000]) {
      const bin = quantileBin(countByRatio([value]), 0.5) ?? Number.NaN;
      expect(Math.abs(ratioOfBin(bin) / value - 1)).toBeLessThan(0.026);
    }
  });

  it("add up", () => {
    expect(
      mergeBins([
        { 1: 2, 3: 1 },
        { 3: 4, [-2]: 1 },
      ]),
    ).toEqual({ 1: 2, 3: 5, [-2]: 1 });
  });

  it("find the value that a share of them lies below", () => {
    const bins = { 1: 90, 2: 6, 3: 4 };
    expect([0, 0.5, 0.89, 0.9, 0.95, 0.96, 1].map((share) => quantileBin(bins, share))).toEqual([1, 1, 1, 2, 2, 3, 3]);
    expect(quantileBin({}, 0.5)).toBeUndefined();
  });
});
