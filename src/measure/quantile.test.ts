/** If red: medians and percentiles are wrong everywhere that they are shown. */
import { expect, test } from "vitest";
import { quantile } from "./quantile.ts";

test("the median lies in the middle, whatever the order", () => {
  expect(quantile([3, 1, 2], 0.5)).toBe(2);
  expect(quantile([10, 9, 100], 0.5)).toBe(10);
});

test("the ends are the smallest and the largest", () => {
  expect(quantile([3, 1, 2], 0)).toBe(1);
  expect(quantile([3, 1, 2], 1)).toBe(3);
});

test("of a hundred values, 95 lie below the 95th percentile", () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  const limit = quantile(values, 0.95) ?? 0;
  expect(values.filter((value) => value < limit).length).toBe(95);
});

test("of nothing there is none, and nothing given is changed", () => {
  expect(quantile([], 0.5)).toBeUndefined();
  expect(quantile(Object.freeze([2, 1]), 0)).toBe(1);
});
