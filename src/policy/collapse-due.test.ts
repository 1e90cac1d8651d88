import { describe, expect, it } from "vitest";
import { type Carried, type DueSettings, decideDue, weighPrice } from "./collapse-due.ts";
import { DEFAULT_SETTINGS } from "./settings/settings.ts";

/** So many old exchanges of 2,000 tokens each, of which a line of 50 would stay. */
const carry = (old: number, more: Partial<Carried> = {}): Carried => ({
  contextTokens: 60_000,
  load: {
    ledgerTokens: 1_000,
    old: Array.from({ length: old }, () => ({ gainTokens: 1_950, keptTokens: 50 })),
    tailTokens: 6_000,
  },
  occasion: { baseTokens: 18_000, model: "claude-opus-5", isCold: false, share1h: 0, marks: "client" },
  stepsSinceLast: undefined,
  ...more,
});
const kindOf = (carried: Carried, settings: Partial<DueSettings> = {}): string | undefined =>
  decideDue(carried, { ...DEFAULT_SETTINGS, ...settings })?.kind;

describe("a compaction that would be brought about", () => {
  it("is due once carrying has cost what rewriting costs, and later for the cautious", () => {
    const first = (policy: DueSettings["policy"]): number =>
      Array.from({ length: 60 }, (_, old) => old).findIndex((old) => kindOf(carry(old), { policy }) === "price");
    expect(first("balanced")).toBeGreaterThanOrEqual(8);
    expect(first("cautious")).toBeGreaterThan(first("balanced"));
  });

  it.each([{ early: "off" }, { compaction: "native" }] as const)("is no question of price with %j", (settings) => {
    expect(weighPrice(carry(50), { ...DEFAULT_SETTINGS, ...settings })).toBeUndefined();
    expect(kindOf(carry(50), settings)).toBeUndefined();
  });

  it("is due at the person's own line whatever the price, but not within four requests of the last", () => {
    const lineTokens = 60_000;
    expect(kindOf(carry(2), { lineTokens })).toBe("line");
    expect(kindOf(carry(2, { contextTokens: 59_999 }), { lineTokens })).toBeUndefined();
    expect(kindOf(carry(2, { stepsSinceLast: 3 }), { lineTokens })).toBeUndefined();
    expect(kindOf(carry(2, { stepsSinceLast: 4 }), { lineTokens })).toBe("line");
    expect(kindOf(carry(2), { lineTokens, early: "off" })).toBe("line");
  });

  it("does not help where what must stay fills four fifths of the line", () => {
    const lineTokens = 31_000;
    expect(kindOf(carry(2), { lineTokens })).toBe("below");
    expect(kindOf(carry(2), { lineTokens, compaction: "native" })).toBe("line");
  });
});
