import { describe, expect, it } from "vitest";
import { createBase } from "./measure-base.ts";

describe("what every request begins with", () => {
  it("is the first request of a session that we saw begin, whatever later ones carry", () => {
    const base = createBase();
    base.measured(24_000, 0);
    base.measured(90_000, 50_000);
    expect(base.known()).toEqual({ baseTokens: 24_000, baseErrorTokens: 0 });
  });

  it("is found in a session that was begun without us, the better the longer it is followed", () => {
    const base = createBase();
    // The estimate is a tenth too low.
    const carry = (tokens: number): void => base.measured(24_000 + Math.round(tokens * 1.1), tokens);
    carry(40_000);
    expect(base.known().baseTokens).toBe(28_000);
    carry(50_000);
    expect(Math.abs(base.known().baseTokens - 24_000)).toBeLessThan(100);
  });

  it("is measured anew after a compaction, by the estimate as it was compared before", () => {
    const base = createBase();
    base.measured(24_000, 0);
    base.measured(84_000, 50_000);
    base.windowBegan();
    // Two thousand more tools, and ten thousand estimated tokens that weigh twelve.
    base.measured(38_000, 10_000);
    expect(base.known().baseTokens).toBe(26_000);
  });
});
