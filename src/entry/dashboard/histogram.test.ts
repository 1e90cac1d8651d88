/** If red: the page shows wrong medians and percentiles of output sizes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quantile } from "../../measure/quantile.ts";
import { mergeBins } from "../../replay/bins.ts";
import { countAll, countSizes, quantileOf } from "./close-look.ts";

describe("a histogram of sizes", () => {
  it("tells quantiles within 3 % of the true ones, in parts as in one", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(sizes, sizes, fc.constantFrom(0, 0.5, 0.9, 0.99, 1), (left, right, share) => {
        const joined = mergeBins([countSizes(left), countSizes(right)]);
        expect(joined).toEqual(countSizes([...left, ...right]));
        const exact = quantile([...left, ...right], share) ?? 0;
        expect(Math.abs(quantileOf(joined, share) / exact - 1)).toBeLessThan(0.03);
      }),
    );
  });

  it("counts sizes below one as nothing", () => {
    const counts = countSizes([0, 0.3, 0]);
    expect(countAll(counts)).toBe(3);
    expect(quantileOf(counts, 0.5)).toBe(0);
  });

  it("has no quantile of nothing", () => {
    expect(quantileOf(countSizes([]), 0.5)).toBe(0);
  });
});
