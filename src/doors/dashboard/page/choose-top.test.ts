import { expect, it } from "vitest";
import { chooseTop, isLineOutside } from "./choose-top.ts";

it.each([
  [100_000, 167_000, 180_360],
  [180_000, 167_000, 194_400],
  [60_000, 967_000, 75_000],
])("a chart of at most %d tokens below a line at %d reaches to %d", (most, line, top) => {
  expect(chooseTop(most, line)).toBeCloseTo(top, 6);
  expect(isLineOutside(most, line)).toBe(top < line);
});
