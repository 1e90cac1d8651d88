import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideEarly, type EarlyOccasion } from "./decide-early.ts";

/** Opus 5 reads a million cached tokens for $0.50 and writes them for $6.25. */
const OPUS = "claude-opus-5";

function occasion(given: Partial<EarlyOccasion> = {}): EarlyOccasion {
  return {
    contextTokens: 120_000,
    baseTokens: 20_000,
    keptTokens: 20_000,
    isCold: false,
    requestsSince: 20,
    isAtBoundary: false,
    model: OPUS,
    ...given,
  };
}

const warm = fc.record({
  contextTokens: fc.integer({ min: 0, max: 1_000_000 }),
  baseTokens: fc.integer({ min: 0, max: 60_000 }),
  keptTokens: fc.integer({ min: 0, max: 30_000 }),
  isCold: fc.constant(false),
  isAtBoundary: fc.boolean(),
  requestsSince: fc.integer({ min: 0, max: 100 }),
  model: fc.constantFrom(OPUS, "claude-sonnet-4-6", "gpt-9", ""),
});

describe("an early compaction", () => {
  it("is due from the hard line on, in the middle of the work", () => {
    expect(decideEarly(occasion({ contextTokens: 110_000 }))).toMatchObject({ isDue: true });
    expect(decideEarly(occasion({ contextTokens: 109_999 })).isDue).toBe(false);
    expect(decideEarly(occasion({ contextTokens: 110_000 })).why).toBe(
      "70k tokens are carried with every request and can go",
    );
  });

  it("waits for a safe boundary from the soft line on", () => {
    const between = occasion({ contextTokens: 80_000 });
    expect(decideEarly(between)).toMatchObject({
      isDue: false,
      why: "waits for a safe boundary: 60k tokens of history",
    });
    expect(decideEarly({ ...between, isAtBoundary: true })).toMatchObject({
      isDue: true,
      why: "a safe boundary, and 40k tokens can go",
    });
  });

  it("is never due below the soft line while the cache is warm", () => {
    fc.assert(
      fc.property(warm, (given) => {
        if (given.contextTokens - given.baseTokens < 60_000) expect(decideEarly(given).isDue).toBe(false);
      }),
    );
    const short = occasion({ contextTokens: 79_999, isAtBoundary: true });
    expect(decideEarly(short)).toMatchObject({ isDue: false, why: "the history is short: 60k tokens" });
  });

  it("is due at once when the cache is cold and 20,000 tokens can go", () => {
    const cold = occasion({ contextTokens: 60_000, isCold: true });
    expect(decideEarly(cold)).toMatchObject({ isDue: true, breakEvenRequests: 0 });
    expect(decideEarly(cold).why).toBe("the cache is cold: 20k tokens less to write anew, and to carry after");
    expect(decideEarly({ ...cold, contextTokens: 59_999 }).isDue).toBe(false);
    expect(decideEarly({ ...cold, isCold: false }).isDue).toBe(false);
  });

  it.each([0, 7])("is not due %d requests after the last, whatever there is to gain", (requestsSince) => {
    const near = { requestsSince, contextTokens: 900_000, isCold: true, isAtBoundary: true };
    expect(decideEarly(occasion(near))).toMatchObject({ isDue: false, why: "the last compaction is too near" });
    expect(decideEarly(occasion({ ...near, requestsSince: 8 })).isDue).toBe(true);
  });

  it("is not due where less than 30,000 tokens could go, however long the history", () => {
    expect(decideEarly(occasion({ keptTokens: 70_001 }))).toMatchObject({
      isDue: false,
      why: "only 30k tokens could go",
    });
  });

  it("never pays where nothing can go", () => {
    const empty = decideEarly(occasion({ contextTokens: 30_000, isAtBoundary: true }));
    expect(empty).toMatchObject({ isDue: false, breakEvenRequests: Number.POSITIVE_INFINITY, savedUsdPerRequest: 0 });
    expect(empty.why).toBe("only 0k tokens could go");
  });

  it("tells what it costs and saves for a model with a price: 20k rewritten for 5.75 $/M, 80k not read for 0.50 $/M", () => {
    const { breakEvenRequests, savedUsdPerRequest } = decideEarly(occasion());
    expect(savedUsdPerRequest).toBeCloseTo((80_000 * 0.5) / 1e6, 12);
    expect(breakEvenRequests).toBeCloseTo((20_000 * 5.75) / (80_000 * 0.5), 12);
  });

  it("counts with the dearer reading of a model whose cache is cheaper: Opus 5.5 reads for 0.20 $/M, writes for 5 $/M", () => {
    const { breakEvenRequests, savedUsdPerRequest } = decideEarly(occasion({ model: "claude-opus-5-5" }));
    expect(savedUsdPerRequest).toBeCloseTo(0.016, 12);
    expect(breakEvenRequests).toBeCloseTo(6, 12);
  });

  it("is not due where it would pay only after more requests than can be expected", () => {
    const dear = occasion({ model: "claude-opus-5-5", keptTokens: 65_000 });
    // 65k at 3.80 + 1 $/M against 35k at 0.20 $/M: 44.6 requests.
    expect(decideEarly(dear)).toMatchObject({ isDue: false, why: "it would pay only after 45 requests" });
  });

  it("decides for an unknown model as for any other, and says no price", () => {
    const unknown = decideEarly(occasion({ model: "gpt-9" }));
    expect(unknown).toMatchObject({ isDue: true, savedUsdPerRequest: undefined });
    expect(unknown.breakEvenRequests).toBeCloseTo((20_000 * 1.15) / (80_000 * 0.1), 12);
  });

  it("gives a reason for everything, and is never due without a gain", () => {
    fc.assert(
      fc.property(warm, fc.boolean(), (given, isCold) => {
        const decision = decideEarly({ ...given, isCold });
        expect(decision.why).not.toBe("");
        if (decision.isDue)
          expect(given.contextTokens - given.baseTokens - given.keptTokens).toBeGreaterThanOrEqual(20_000);
        expect(decision.breakEvenRequests).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
