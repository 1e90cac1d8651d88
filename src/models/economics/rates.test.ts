/** If red: costs are compared in wrong units where no dollars are known. */
import { expect, test } from "vitest";
import { mixWriteRate, rateModel } from "./rates.ts";

test("a unit is a token at the input price, and the rest is told in units", () => {
  expect(rateModel("claude-opus-5")).toEqual({ read: 0.1, write5m: 1.25, write1h: 2, output: 5, usdPerUnit: 5e-6 });
  expect(rateModel("claude-opus-5-5").read).toBeCloseTo(0.05, 12);
});

test("a long request of a model priced by length has dearer units, not other relations", () => {
  expect(rateModel("claude-haiku-5-5", 200_000).usdPerUnit).toBeCloseTo(5e-7, 15);
  expect(rateModel("claude-haiku-5-5", 200_000).read).toBeCloseTo(0.1, 12);
});

test("a model without a price keeps the relations and has no dollars", () => {
  expect(rateModel("gpt-6")).toEqual({ read: 0.1, write5m: 1.25, write1h: 2, output: 5, usdPerUnit: undefined });
});

test("writing for both life times costs the mean of both, by their shares", () => {
  const rates = rateModel("claude-opus-5");
  expect([0, 0.5, 1].map((share) => mixWriteRate(rates, share))).toEqual([1.25, 1.625, 2]);
});
