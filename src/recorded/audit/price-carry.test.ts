/** If red: the dollars that a smaller startup context would save are wrong. */
import { describe, expect, it } from "vitest";
import { zeroUsage } from "../../core/usage.ts";
import type { CachingRequest } from "../../models/economics/cache-state.ts";
import { priceCarry, selectMonth } from "./price-carry.ts";

const DAY_MS = 86_400_000;
const at = (day: number, usage: Partial<CachingRequest["usage"]>, model = "claude-opus-5"): CachingRequest => ({
  model,
  atMs: 1e12 + day * DAY_MS,
  usage: { ...zeroUsage, ...usage },
});

describe("priceCarry", () => {
  it("[R87] prices a saving at the person's own requests of a month: written once, then read", () => {
    const month = selectMonth([
      at(-31, { cacheReadTokens: 1000 }),
      at(-1, { cacheWrite5mTokens: 1000 }),
      at(0, { cacheReadTokens: 1000 }),
    ]);
    expect(month.requests).toHaveLength(2);
    expect(priceCarry(1_000_000, month).usdPerMonth).toBeCloseTo(6.25 + 0.5, 9);
  });

  it("takes the price of a longer life, and the full price without a cache", () => {
    expect(priceCarry(1_000_000, selectMonth([at(0, { cacheWrite1hTokens: 1 })])).usdPerMonth).toBeCloseTo(10, 9);
    expect(priceCarry(1_000_000, selectMonth([at(0, { inputTokens: 1 })])).usdPerMonth).toBeCloseTo(5, 9);
  });

  it("guesses no price", () => {
    const unpriced = at(0, {}, "gpt-6");
    expect(priceCarry(1000, selectMonth([]))).toEqual({ usdPerMonth: undefined, isAtLeast: false });
    expect(priceCarry(1000, selectMonth([unpriced]))).toEqual({ usdPerMonth: undefined, isAtLeast: true });
    expect(priceCarry(1e6, selectMonth([unpriced, at(0, { inputTokens: 1 })])).isAtLeast).toBe(true);
  });
});
