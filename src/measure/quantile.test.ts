/** If red: medians and percentiles are wrong everywhere that they are shown. */
import { expect, test } from "vitest";
import { median, quantile } from "./quantile.ts";

test("the median lies in the middle, whatever the order", () => {
  expect(quantile([3, 1, 2], 0.5)).toBe(2);
  expect(quantile([10, 9, 100], 0.5)).toBe(10);
  expect(median([10, 9, 100])).toBe(10);
});

test("of an even number of values the median is half-way between the two in the middle, and no single session's", () => {
  expect(median([1, 0.5])).toBe(0.75);
  expect(median([4, 1, 100, 2])).toBe(3);
  expect(median([])).toBeUndefined();
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
