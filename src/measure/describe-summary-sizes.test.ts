import { describe, expect, it } from "vitest";
import { describeSummarySizes } from "./describe-summary-sizes.ts";

describe("sizes of summaries", () => {
  it("[R154] are told by their quantiles, up to the largest of ten thousand", () => {
    const sizes = Array.from({ length: 10_000 }, (_, index) => index + 1).reverse();
    expect(describeSummarySizes(sizes)).toEqual({
      count: 10_000,
      least: 1,
      mean: 5000.5,
      p50: 5001,
      p90: 9001,
      p99: 9901,
      p9999: 10_000,
      most: 10_000,
    });
  });

  it("are not known of none, and what is no size does not count", () => {
    expect(describeSummarySizes([])).toMatchObject({ count: 0, p50: undefined, p9999: undefined, mean: undefined });
    expect(describeSummarySizes([Number.NaN, -1, 7])).toMatchObject({ count: 1, p50: 7, most: 7 });
  });
});
