import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeDistribution } from "./distribution.ts";

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

describe("describeDistribution", () => {
  it("says nothing of nothing", () => {
    expect(describeDistribution([])).toBeUndefined();
  });

  it("tells p50, p90, p99 and p99.99, the mean and the largest", () => {
    const found = describeDistribution(range(10_000));
    expect(found).toMatchObject({ count: 10_000, mean: 5000.5, largest: 10_000 });
    expect(found?.quantiles.map(({ value }) => value)).toEqual([5001, 9001, 9901, 10_000]);
  });

  it.each([
    [1, [false, false, false, false]],
    [2, [true, false, false, false]],
    [10, [true, true, false, false]],
    [100, [true, true, true, false]],
    [9999, [true, true, true, false]],
    [10_000, [true, true, true, true]],
  ])("of %i values says which quantiles they carry", (count, supported) => {
    expect(describeDistribution(range(count))?.quantiles.map(({ isSupported }) => isSupported)).toEqual(supported);
  });

  it("never falls from one quantile to the next, and never exceeds the largest", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1 }), (values) => {
        const found = describeDistribution(values);
        const told = found?.quantiles.map(({ value }) => value) ?? [];
        expect(told).toEqual([...told].sort((left, right) => left - right));
        expect(told.at(-1)).toBeLessThanOrEqual(found?.largest ?? -1);
      }),
    );
  });
});
