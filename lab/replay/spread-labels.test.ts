/** If red: labels of the picture of policies overlap. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { spreadLabels } from "./spread-labels.ts";

it("leaves labels where they want to be when there is room", () => {
  expect(spreadLabels([10, 90, 50], 17, [0, 100])).toEqual([10, 90, 50]);
});

it("moves labels apart, in their order, also at the edges", () => {
  expect(spreadLabels([50, 50, 52], 10, [0, 100])).toEqual([50, 60, 70]);
  expect(spreadLabels([99, 98], 10, [0, 100])).toEqual([100, 90]);
});

it("never lets two overlap, and stays within the range while they fit", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 450 }), { maxLength: 20 }), (wanted) => {
      const places = [...spreadLabels(wanted, 17, [0, 400])].sort((left, right) => left - right);
      for (const [index, place] of places.entries()) {
        if (index > 0) expect(place - (places[index - 1] ?? 0)).toBeGreaterThanOrEqual(17 - 1e-9);
        expect(place).toBeGreaterThanOrEqual(0);
        expect(place).toBeLessThanOrEqual(400);
      }
    }),
  );
});
