import fc from "fast-check";
import { expect, test } from "vitest";
import { type CachedPrefix, countResumedTokens } from "./cached-prefix.ts";

const prefix: CachedPrefix = { warmTokens: 100_000, baseTokens: 20_000, reachFromTokens: 90_000, minimumTokens: 1024 };

test.each([
  ["behind everything that is cached: all of it", 120_000, 100_000],
  ["within the last blocks: up to the change", 95_000, 95_000],
  ["farther back: the system prompt alone", 89_999, 20_000],
  ["in the system prompt: up to the change", 15_000, 15_000],
  ["below the least that is cached: nothing", 900, 0],
])("a change is read %s", (_, position, resumed) => {
  expect(countResumedTokens(prefix, position)).toBe(resumed);
});

test("whoever marks the place of the change reads up to it", () => {
  expect(countResumedTokens({ ...prefix, reachFromTokens: 0 }, 50_000)).toBe(50_000);
});

test("a change farther back never leaves more to read", () => {
  const tokens = fc.nat(200_000);
  const arbitrary = fc.record({
    warmTokens: tokens,
    baseTokens: tokens,
    reachFromTokens: tokens,
    minimumTokens: tokens,
  });
  fc.assert(
    fc.property(arbitrary, tokens, tokens, (any, one, other) => {
      const [near, far] = [Math.max(one, other), Math.min(one, other)];
      expect(countResumedTokens(any, far)).toBeLessThanOrEqual(countResumedTokens(any, near));
      expect(countResumedTokens(any, near)).toBeLessThanOrEqual(any.warmTokens);
    }),
  );
});
