/** If red: an edit is said to save money that it costs. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tries } from "../../../test/support/depth.ts";
import { arbitrarySizedEdits, arbitraryTerms, edit, terms } from "../../../test/support/edit-terms.ts";
import { type EditTerms, priceEdits } from "./price-edit.ts";

const RUNS = { numRuns: tries(40, 1000) };

describe("one edit", () => {
  test("[R145] saves reading in every request, and costs writing what stands behind it, once", () => {
    const price = priceEdits([edit(60_000, 30_000)], terms());
    // 10,000 tokens stay behind it: written for 1.25 instead of read for 0.1, at $5 a million.
    expect(price).toMatchObject({ savedTokens: 30_000, rewrittenTokens: 10_000, isFree: false });
    expect(price.rewriteUsd).toBeCloseTo((10_000 * 1.15 * 5) / 1e6, 12);
    expect(price.savedUsdPerRequest).toBeCloseTo((30_000 * 0.1 * 5) / 1e6, 12);
    expect(price.breakEvenRequests).toBeCloseTo(11_500 / 3000, 12);
    expect(price.expectedNetUsd).toBeCloseTo(((20 * 3000 - 11_500) * 5) / 1e6, 12);
  });

  test("costs more to write again for an hour", () => {
    expect(priceEdits([edit(60_000, 30_000)], terms({ share1h: 1 })).rewriteUnits).toBeCloseTo(10_000 * 1.9, 9);
  });

  test("of what was never sent is free, and saves the writing too", () => {
    const price = priceEdits([edit(100_000, 4000)], terms());
    expect(price).toMatchObject({ rewriteUnits: 0, isFree: true, breakEvenRequests: 0 });
    expect(price.expectedNetUnits).toBeCloseTo(4000 * (1.25 + 19 * 0.1), 9);
  });

  test("is free anywhere once the cache is cold", () => {
    const price = priceEdits([edit(60_000, 30_000)], terms({ prefix: { warmTokens: 0 } }));
    expect(price).toMatchObject({ rewrittenTokens: 0, isFree: true });
    expect(price.expectedNetUnits).toBeCloseTo(30_000 * (1.25 + 19 * 0.1), 9);
  });

  test("too far back for the client's own marks costs everything behind the system prompt", () => {
    const prefix = { baseTokens: 20_000, reachFromTokens: 90_000 };
    expect(priceEdits([edit(60_000, 30_000)], terms({ prefix })).rewrittenTokens).toBe(50_000);
  });

  test("that is likely to be fetched again pays for that: a request, a call and a page", () => {
    const price = priceEdits([edit(100_000, 30_000, { recoveryShare: 0.5 })], terms());
    expect(price.recoveryUnits).toBeCloseTo(0.5 * (100_000 * 0.1 + 150 * 5 + 2000 * 1.25), 9);
    expect(priceEdits([edit(100_000, 500, { recoveryShare: 1 })], terms()).recoveryUnits).toBeCloseTo(
      10_000 + 750 + 500 * 1.25,
      9,
    );
  });

  test("is taken to be needed again by what it removes, where nobody says", () => {
    const { recoveryShare: _, ...plain } = edit(100_000, 30_000);
    const duplicate = priceEdits([{ ...plain, content: "duplicate" }], terms());
    const result = priceEdits([plain], terms());
    const exchanges = priceEdits([{ ...plain, content: "exchanges" }], terms());
    expect(duplicate.recoveryUnits).toBe(0);
    expect(exchanges.recoveryUnits).toBeCloseTo(2 * result.recoveryUnits, 9);
  });

  test("of a model without a price has no dollars, and everything else", () => {
    const price = priceEdits([edit(60_000, 30_000)], terms({ model: "gpt-6" }));
    expect([price.savedUsdPerRequest, price.rewriteUsd, price.recoveryUsd, price.expectedNetUsd]).toEqual(
      Array(4).fill(undefined),
    );
    expect(price).toMatchObject({ rewriteUnits: 11_500, savedUnitsPerRequest: 3000 });
  });

  test("that has waited is expected to be carried for as long again, where nothing else is known", () => {
    const price = priceEdits([edit(60_000, 30_000, { waitedRequests: 7 })], terms({ expectedRequests: undefined }));
    expect(price.expectedNetUnits).toBeCloseTo(8 * 3000 - 11_500, 9);
  });

  test.each([0, -5, Number.NaN, Number.POSITIVE_INFINITY])(
    "that saves %d tokens is worth nothing and costs nothing",
    (saved) => {
      expect(priceEdits([edit(10, saved)], terms())).toMatchObject({ expectedNetUnits: 0, rewriteUnits: 0 });
    },
  );
});

test("edits made at one moment pay once, from the earliest of them", () => {
  const price = priceEdits([edit(80_000, 5000), edit(40_000, 20_000)], terms());
  expect(price).toMatchObject({ savedTokens: 25_000, rewrittenTokens: 60_000 - 25_000 });
});

test("no edits cost nothing", () => {
  expect(priceEdits([], terms())).toMatchObject({ rewriteUnits: 0, expectedNetUnits: 0, breakEvenRequests: 0 });
});

describe("any edits in any circumstances", () => {
  const net = (edits: Parameters<typeof priceEdits>[0], given: EditTerms) => priceEdits(edits, given).expectedNetUnits;

  test("more requests expected never make them less worth", () => {
    fc.assert(
      fc.property(arbitrarySizedEdits, arbitraryTerms, fc.nat(300), fc.nat(300), (edits, given, fewer, more) => {
        const less = net(edits, { ...given, expectedRequests: Math.min(fewer, more) });
        expect(net(edits, { ...given, expectedRequests: Math.max(fewer, more) })).toBeGreaterThanOrEqual(less - 1e-6);
      }),
      RUNS,
    );
  });

  test("a colder cache never makes them dearer", () => {
    fc.assert(
      fc.property(arbitrarySizedEdits, arbitraryTerms, (edits, given) => {
        const cold = priceEdits(edits, { ...given, prefix: { ...given.prefix, warmTokens: 0 } });
        const warm = priceEdits(edits, given);
        expect(cold.expectedNetUnits).toBeGreaterThanOrEqual(warm.expectedNetUnits - 1e-6);
        expect(cold.rewriteUnits).toBe(0);
      }),
      RUNS,
    );
  });

  test("they are worth exactly nothing more at the break-even, and less before it", () => {
    fc.assert(
      fc.property(arbitrarySizedEdits, arbitraryTerms, (edits, given) => {
        const { breakEvenRequests } = priceEdits(edits, given);
        fc.pre(breakEvenRequests > 1 && breakEvenRequests < 1e6);
        const scale = priceEdits(edits, given).savedUnitsPerRequest;
        expect(net(edits, { ...given, expectedRequests: breakEvenRequests }) / scale).toBeCloseTo(0, 6);
      }),
      RUNS,
    );
  });
});
