/** If red: the window's load counts the answer or misses cached tokens, so every percentage shown is wrong. */
import { expect, test } from "vitest";
import { addUsage, sumContextTokens, type Usage, zeroUsage } from "./usage.ts";

const some: Usage = {
  inputTokens: 1,
  cacheReadTokens: 20,
  cacheWrite5mTokens: 300,
  cacheWrite1hTokens: 4000,
  outputTokens: 50_000,
};

test("what fills the window is everything that was sent, and not the answer", () => {
  expect(sumContextTokens(some)).toBe(4321);
});

test("usage adds up field by field", () => {
  const twice = addUsage(some, some);
  expect(twice).toEqual({
    inputTokens: 2,
    cacheReadTokens: 40,
    cacheWrite5mTokens: 600,
    cacheWrite1hTokens: 8000,
    outputTokens: 100_000,
  });
  expect(addUsage(zeroUsage, some)).toEqual(some);
});
