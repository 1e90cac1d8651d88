/** If red: edits are made that cost more than they save, or ones that would save money are not. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deepFreeze } from "../../../test/support/build.ts";
import { tries } from "../../../test/support/depth.ts";
import { arbitrarySizedEdits, arbitraryTerms, edit, terms } from "../../../test/support/edit-terms.ts";
import { type DecideOptions, decideEdits } from "./decide-edits.ts";
import { explain } from "./explain.ts";
import { priceEdits, type SizedEdit } from "./price-edit.ts";

const RUNS = { numRuns: tries(40, 2000) };

function decide(proposals: readonly SizedEdit[], options: Partial<DecideOptions> = {}) {
  return decideEdits(proposals, { ...terms(), ...options });
}

const decideAll = (proposals: readonly SizedEdit[], options: Partial<DecideOptions> = {}) =>
  decide(proposals, options).map(({ isMade, why }) => `${isMade ? "+" : "-"} ${why}`);

describe("which edits are made", () => {
  test("those behind the place from which the rewriting pays, and not those in front of it", () => {
    expect(decideAll([edit(1000, 100), edit(70_000, 20_000), edit(95_000, 100)])).toEqual([
      "- doesNotPay",
      "+ pays",
      "+ pays",
    ]);
  });

  test("many that would not pay alone, when they pay together", () => {
    const few = [edit(50_000, 3000), edit(60_000, 3000), edit(70_000, 3000), edit(80_000, 3000)];
    expect(decideAll(few, { expectedRequests: 30 })).toEqual(Array(4).fill("- doesNotPay"));
    expect(decideAll(few, { expectedRequests: 40 })).toEqual(Array(4).fill("+ pays"));
    expect(decideAll(few.slice(0, 1), { expectedRequests: 40 })).toEqual(["- doesNotPay"]);
  });

  test("what was never sent, whatever becomes of the rest", () => {
    expect(decideAll([edit(1000, 100), edit(100_000, 100)], { clearAtLeastTokens: 50_000 })).toEqual([
      "- doesNotPay",
      "+ atBirth",
    ]);
  });

  test("everything that saves more than fetching it again costs, when the cache is cold", () => {
    const proposals = [edit(1000, 100), edit(50_000, 50, { recoveryShare: 1 }), edit(60_000, 0)];
    expect(decideAll(proposals, terms({ prefix: { warmTokens: 0 } }))).toEqual([
      "+ cold",
      "- neededAgain",
      "- savesNothing",
    ]);
  });

  test("[R128] nothing in front of the cached end, when too little would be cleared", () => {
    expect(decideAll([edit(90_000, 8000)], { clearAtLeastTokens: 8001 })).toEqual(["- tooLittle"]);
    expect(decideAll([edit(90_000, 8000)], { clearAtLeastTokens: 8000 })).toEqual(["+ pays"]);
  });

  test("a deeper set that clears enough, when the best one clears too little", () => {
    const proposals = [edit(60_000, 6000), edit(95_000, 4000)];
    expect(decideAll(proposals, { expectedRequests: 55 })).toEqual(["- doesNotPay", "+ pays"]);
    expect(decideAll(proposals, { expectedRequests: 55, clearAtLeastTokens: 5000 })).toEqual(["+ pays", "+ pays"]);
  });

  test("what stands behind another change that is already made for this request", () => {
    const prefix = { ...terms().prefix, warmTokens: 40_000 };
    expect(decideAll([edit(60_000, 100)], { prefix, sentTokens: 100_000 })).toEqual(["+ ridesAlong"]);
  });

  test("without expectations: what has waited for as long as the rewriting is worth", () => {
    const waited = (waitedRequests: number) =>
      decideAll([edit(60_000, 30_000, { waitedRequests })], { expectedRequests: undefined });
    expect([waited(0), waited(2), waited(3)]).toEqual([["- doesNotPay"], ["- doesNotPay"], ["+ pays"]]);
  });
});

describe("what a verdict tells", () => {
  test("the shared rewriting stands in the set, and each edit's price is its own part", () => {
    const verdicts = decide([edit(70_000, 20_000), edit(95_000, 1000)]);
    expect(verdicts[0]?.set).toBe(verdicts[1]?.set);
    expect(verdicts[0]).toMatchObject({ set: { edits: 2 }, price: { rewriteUnits: 0, isFree: true } });
    const parts = verdicts.reduce((sum, { price }) => sum + price.expectedNetUnits, 0);
    const set = verdicts[0]?.set?.price;
    expect(parts - (set?.rewriteUnits ?? 0)).toBeCloseTo(set?.expectedNetUnits ?? Number.NaN, 6);
  });

  test("a declined edit tells what it would cost, and the best set there was", () => {
    const [verdict] = decide([edit(10_000, 1000)]);
    expect(verdict).toMatchObject({ isMade: false, price: { rewrittenTokens: 89_000 }, set: { edits: 1 } });
  });
});

describe("any proposals in any circumstances", () => {
  test("no other subset of them would be worth more", () => {
    fc.assert(
      fc.property(arbitrarySizedEdits, arbitraryTerms, (proposals, given) => {
        const verdicts = decideEdits(proposals, given);
        const made = priceEdits(
          proposals.filter((_, index) => verdicts[index]?.isMade),
          given,
        ).expectedNetUnits;
        for (let mask = 0; mask < 1 << proposals.length; mask++) {
          const subset = proposals.filter((_, index) => mask & (1 << index));
          expect(made).toBeGreaterThanOrEqual(priceEdits(subset, given).expectedNetUnits - 1e-6);
        }
      }),
      { numRuns: tries(40, 500) },
    );
  });

  test("what is made clears enough and pays, and every proposal has its verdict", () => {
    fc.assert(
      fc.property(arbitrarySizedEdits, arbitraryTerms, fc.nat(30_000), (proposals, given, clearAtLeastTokens) => {
        const verdicts = decideEdits(deepFreeze(proposals), { ...given, clearAtLeastTokens });
        expect(verdicts.length).toBe(proposals.length);
        const paid = proposals.filter((_, index) => verdicts[index]?.why === "pays");
        if (paid.length === 0) return;
        const price = priceEdits(paid, given);
        expect(price.savedTokens).toBeGreaterThanOrEqual(clearAtLeastTokens);
        expect(price.expectedNetUnits).toBeGreaterThanOrEqual(-1e-6);
      }),
      RUNS,
    );
  });

  test("the order of the proposals does not matter, and asking again gives the same verdicts and sentences", () => {
    fc.assert(
      fc.property(arbitrarySizedEdits, arbitraryTerms, (proposals, given) => {
        const verdicts = decideEdits(proposals, given);
        const backwards = decideEdits([...proposals].reverse(), given);
        expect([...backwards].reverse().map(({ why }) => why)).toEqual(verdicts.map(({ why }) => why));
        const again = decideEdits(proposals, given);
        expect(again).toEqual(verdicts);
        expect(again.map(explain)).toEqual(verdicts.map(explain));
        expect(verdicts.map(explain).join()).not.toMatch(/NaN|undefined|Infinity/);
      }),
      RUNS,
    );
  });

  test("more requests expected never make fewer edits pay", () => {
    fc.assert(
      fc.property(arbitrarySizedEdits, arbitraryTerms, fc.nat(100), fc.nat(100), (proposals, given, some, more) => {
        const count = (expectedRequests: number) =>
          decideEdits(proposals, { ...given, expectedRequests }).filter(({ isMade }) => isMade).length;
        expect(count(some + more)).toBeGreaterThanOrEqual(count(some));
      }),
      RUNS,
    );
  });
});

describe("wrong options", () => {
  test.each([
    [{ clearAtLeastTokens: -1 }, "clearAtLeastTokens must be 0 or more, not -1"],
    [{ expectedRequests: -3 }, "expectedRequests must be 0 or more, not -3"],
  ])("%j is a TypeError that says so", (options, message) => {
    expect(() => decide([], options)).toThrow(new TypeError(message));
  });

  test("odd sizes are no wrong options: they save nothing", () => {
    expect(decideAll([edit(Number.NaN, 5), edit(5, Number.NaN)])).toEqual(["+ atBirth", "- savesNothing"]);
  });
});
