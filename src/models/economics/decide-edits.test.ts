import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deepFreeze } from "../../../test/support/build.ts";
import { tries } from "../../../test/support/depth.ts";
import { arbitrarySizedEdits, arbitraryTerms, edit, terms } from "../../../test/support/edit-terms.ts";
import type { EditMoment } from "../../core/edit-verdict.ts";
import { type DecideOptions, decideEdits } from "./decide-edits.ts";
import { explain } from "./explain.ts";
import { priceEdits, type SizedEdit } from "./price-edit.ts";

const RUNS = { numRuns: tries(40, 2000) };

function decide(proposals: readonly SizedEdit[], options: Partial<DecideOptions> = {}) {
  return decideEdits(proposals, { ...terms(), moment: "boundary", ...options });
}

const tell = (proposals: readonly SizedEdit[], options: Partial<DecideOptions> = {}) =>
  decide(proposals, options).map(({ isMade, why }) => `${isMade ? "+" : "-"} ${why}`);

describe("which edits are made", () => {
  test("those behind the place from which the rewriting pays, and not those in front of it", () => {
    expect(tell([edit(1000, 100), edit(70_000, 20_000), edit(95_000, 100)])).toEqual([
      "- doesNotPay",
      "+ pays",
      "+ pays",
    ]);
  });

  test("many that would not pay alone, when they pay together", () => {
    const few = [edit(50_000, 3000), edit(60_000, 3000), edit(70_000, 3000), edit(80_000, 3000)];
    expect(tell(few, { expectedRequests: 30 })).toEqual(Array(4).fill("- doesNotPay"));
    expect(tell(few, { expectedRequests: 40 })).toEqual(Array(4).fill("+ pays"));
    expect(tell(few.slice(0, 1), { expectedRequests: 40 })).toEqual(["- doesNotPay"]);
  });

  test("what was never sent, whatever becomes of the rest", () => {
    expect(tell([edit(1000, 100), edit(100_000, 100)], { clearAtLeastTokens: 50_000 })).toEqual([
      "- doesNotPay",
      "+ atBirth",
    ]);
  });

  test("everything that saves more than fetching it again costs, when the cache is cold", () => {
    const proposals = [edit(1000, 100), edit(50_000, 50, { recoveryShare: 1 }), edit(60_000, 0)];
    expect(tell(proposals, { moment: "cold" })).toEqual(["+ cold", "- neededAgain", "- savesNothing"]);
  });

  test("nothing that was sent, at birth", () => {
    expect(tell([edit(1000, 90_000), edit(100_000, 10)], { moment: "birth" })).toEqual(["- alreadySent", "+ atBirth"]);
  });

  test("[R128] nothing in front of the cached end, when too little would be cleared", () => {
    expect(tell([edit(90_000, 8000)], { clearAtLeastTokens: 8001 })).toEqual(["- tooLittle"]);
    expect(tell([edit(90_000, 8000)], { clearAtLeastTokens: 8000 })).toEqual(["+ pays"]);
  });

  test("a deeper set that clears enough, when the best one clears too little", () => {
    const proposals = [edit(60_000, 6000), edit(95_000, 4000)];
    expect(tell(proposals, { expectedRequests: 55 })).toEqual(["- doesNotPay", "+ pays"]);
    expect(tell(proposals, { expectedRequests: 55, clearAtLeastTokens: 5000 })).toEqual(["+ pays", "+ pays"]);
  });

  test("in mid-turn only what pays for its rewriting twice", () => {
    const narrow = [edit(60_000, 20_000)];
    expect(tell(narrow, { expectedRequests: 18 })).toEqual(["+ pays"]);
    expect(tell(narrow, { expectedRequests: 18, moment: "midTurn" })).toEqual(["- withinMargin"]);
    expect(tell(narrow, { expectedRequests: 24, moment: "midTurn" })).toEqual(["+ pays"]);
    expect(tell(narrow, { expectedRequests: 18, moment: "midTurn", marginShare: 0 })).toEqual(["+ pays"]);
  });

  test("what stands behind another change that is already made for this request", () => {
    const prefix = { ...terms().prefix, warmTokens: 40_000 };
    expect(tell([edit(60_000, 100)], { prefix, sentTokens: 100_000 })).toEqual(["+ ridesAlong"]);
  });

  test("without expectations: what has waited for as long as the rewriting is worth", () => {
    const waited = (waitedRequests: number) =>
      tell([edit(60_000, 30_000, { waitedRequests })], { expectedRequests: undefined });
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
  const moments = fc.constantFrom<EditMoment>("birth", "boundary", "midTurn", "cold");

  test("no other subset of them would be worth more", () => {
    fc.assert(
      fc.property(arbitrarySizedEdits, arbitraryTerms, (proposals, given) => {
        const verdicts = decideEdits(proposals, { ...given, moment: "boundary" });
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

  test("what is made clears enough, pays by the margin asked for, and every proposal has its verdict", () => {
    const limits = fc.record({ clearAtLeastTokens: fc.nat(30_000), marginShare: fc.constantFrom(0, 0.5, 2) });
    fc.assert(
      fc.property(arbitrarySizedEdits, arbitraryTerms, limits, moments, (proposals, given, limit, moment) => {
        const verdicts = decideEdits(deepFreeze(proposals), { ...given, ...limit, moment });
        expect(verdicts.length).toBe(proposals.length);
        const paid = proposals.filter((_, index) => verdicts[index]?.why === "pays");
        if (paid.length === 0) return;
        const price = priceEdits(paid, given);
        expect(price.savedTokens).toBeGreaterThanOrEqual(limit.clearAtLeastTokens);
        const margin = given.expectedRequests === undefined ? 0 : limit.marginShare;
        expect(price.expectedNetUnits).toBeGreaterThanOrEqual(margin * price.rewriteUnits - 1e-6);
      }),
      RUNS,
    );
  });

  test("the order of the proposals does not matter, and asking again gives the same verdicts and sentences", () => {
    fc.assert(
      fc.property(arbitrarySizedEdits, arbitraryTerms, moments, (proposals, given, moment) => {
        const verdicts = decideEdits(proposals, { ...given, moment });
        const backwards = decideEdits([...proposals].reverse(), { ...given, moment });
        expect([...backwards].reverse().map(({ why }) => why)).toEqual(verdicts.map(({ why }) => why));
        const again = decideEdits(proposals, { ...given, moment });
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
          decideEdits(proposals, { ...given, expectedRequests, moment: "boundary" }).filter(({ isMade }) => isMade)
            .length;
        expect(count(some + more)).toBeGreaterThanOrEqual(count(some));
      }),
      RUNS,
    );
  });
});

describe("wrong options", () => {
  test.each([
    [{ clearAtLeastTokens: -1 }, "clearAtLeastTokens must be 0 or more, not -1"],
    [{ marginShare: Number.NaN }, "marginShare must be 0 or more, not NaN"],
    [{ expectedRequests: -3 }, "expectedRequests must be 0 or more, not -3"],
    [JSON.parse('{"moment":"never"}'), "moment must be one of birth, boundary, midTurn, cold, not never"],
  ])("%j is a TypeError that says so", (options, message) => {
    expect(() => decide([], options)).toThrow(new TypeError(message));
  });

  test("odd sizes are no wrong options: they save nothing", () => {
    expect(tell([edit(Number.NaN, 5), edit(5, Number.NaN)])).toEqual(["+ atBirth", "- savesNothing"]);
  });
});
