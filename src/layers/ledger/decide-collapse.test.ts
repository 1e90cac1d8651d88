import { describe, expect, test } from "vitest";
import { unknownOccasion } from "../../core/occasion.ts";
import { type CollapseRule, decideCollapse, type HistoryLoad } from "./decide-collapse.ts";

const RULE: CollapseRule = { patience: 1, leastTokens: 9_000, leastColdTokens: 8_000 };

/** So many old exchanges: each frees 1,000 tokens and leaves 100; 1,000 tokens stay. */
function load(exchanges: number, more: Partial<HistoryLoad> = {}): HistoryLoad {
  const old = Array.from({ length: exchanges }, () => ({ gainTokens: 1_000, keptTokens: 100 }));
  return { ledgerTokens: 0, old, tailTokens: 1_000, ...more };
}

describe("deciding when to collapse", () => {
  // Read 0.1, written 1.25, output 5. Carried: 0.1 * 1,000 * (1 + … + n) = 50 n (n + 1). Cost: (100 n + 1,000) * 1.15 for
  // writing anew, and a recall of (100 n + 1,000) * 0.1 + 150 * 5 + 1,500 * 1.25: together 125 n + 3,875.
  test("happens as soon as carrying has cost what rewriting costs, and not an exchange earlier", () => {
    const before = decideCollapse(load(9), unknownOccasion, RULE);
    expect(before).toMatchObject({ isDue: false, why: "notYet", gainTokens: 9_000 });
    expect(before.carriedUnits).toBeCloseTo(4_500);
    expect(before.costUnits).toBeCloseTo(5_000);
    const due = decideCollapse(load(10), unknownOccasion, RULE);
    expect(due).toMatchObject({ isDue: true, why: "paid", gainTokens: 10_000 });
    expect(due.carriedUnits).toBeCloseTo(5_500);
    expect(due.costUnits).toBeCloseTo(5_125);
  });

  test("waits longer with more patience, and not at all without", () => {
    const decide = (exchanges: number, patience: number) =>
      decideCollapse(load(exchanges), unknownOccasion, { ...RULE, patience }).why;
    // 50 n (n + 1) reaches 2 * (125 n + 3,875) at 15: 12,000 against 11,500.
    expect([decide(14, 2), decide(15, 2)]).toEqual(["notYet", "paid"]);
    expect([decide(8, 0), decide(9, 0)]).toEqual(["tooLittle", "paid"]);
  });

  test("happens at once when the cache is cold: only the recall is still paid for", () => {
    const cold = { ...unknownOccasion, isCold: true };
    const verdict = decideCollapse(load(8), cold, RULE);
    expect(verdict).toMatchObject({ isDue: true, why: "cold" });
    expect(verdict.costUnits).toBeCloseTo(1_800 * 0.1 + 2_625);
    const lighter = { ...RULE, leastColdTokens: 8_001 };
    expect(decideCollapse(load(8), cold, lighter)).toMatchObject({ isDue: false, why: "tooLittle" });
  });

  test("leaves too little alone, however long it was carried", () => {
    const old = Array.from({ length: 2_000 }, () => ({ gainTokens: 1, keptTokens: 0 }));
    const verdict = decideCollapse(load(0, { old }), unknownOccasion, RULE);
    expect(verdict.carriedUnits).toBeGreaterThan(verdict.costUnits);
    expect(verdict).toMatchObject({ isDue: false, why: "tooLittle", gainTokens: 2_000 });
  });

  test.each([true, false])("leaves fewer than eight exchanges alone, however heavy (cold: %s)", (isCold) => {
    const decide = (exchanges: number) =>
      decideCollapse(
        load(0, { old: Array.from({ length: exchanges }, () => ({ gainTokens: 50_000, keptTokens: 0 })) }),
        { ...unknownOccasion, isCold },
        RULE,
      );
    expect(decide(7)).toMatchObject({ isDue: false, why: "tooLittle", gainTokens: 350_000 });
    expect(decide(8).isDue).toBe(true);
  });

  test("writes the ledger anew where only the end is marked, and leaves it where its own place is", () => {
    const long = load(10, { ledgerTokens: 10_000 });
    const client = decideCollapse(long, unknownOccasion, RULE);
    const atEdit = decideCollapse(long, { ...unknownOccasion, marks: "atEdit" }, RULE);
    expect(client.costUnits - atEdit.costUnits).toBeCloseTo(10_000 * 1.15);
    // 125 * 10 + 3,875 and the recall that reads the ledger, too.
    expect(atEdit.costUnits).toBeCloseTo(5_125 + 10_000 * 0.1);
    expect([client.isDue, atEdit.isDue]).toEqual([false, false]);
    expect(
      decideCollapse(load(11, { ledgerTokens: 10_000 }), { ...unknownOccasion, marks: "atEdit" }, RULE).isDue,
    ).toBe(true);
  });

  test("what every request carries makes a recall dearer, and longer life makes rewriting dearer", () => {
    const plain = decideCollapse(load(10), unknownOccasion, RULE).costUnits;
    expect(decideCollapse(load(10), { ...unknownOccasion, baseTokens: 20_000 }, RULE).costUnits).toBeCloseTo(
      plain + 20_000 * 0.1,
    );
    // 2 instead of 1.25 for 2,000 tokens written anew and 1,500 recalled.
    expect(decideCollapse(load(10), { ...unknownOccasion, share1h: 1 }, RULE).costUnits).toBeCloseTo(
      plain + 0.75 * (2_000 + 1_500),
    );
  });

  test("has paid for itself after as many requests as its cost holds what one of them saves", () => {
    expect(decideCollapse(load(10), unknownOccasion, RULE).breakEvenRequests).toBeCloseTo(5.125);
    expect(decideCollapse(load(0), unknownOccasion, RULE)).toMatchObject({
      isDue: false,
      why: "tooLittle",
      breakEvenRequests: Number.POSITIVE_INFINITY,
    });
  });

  test("a model that nobody knows is weighed by the usual relations", () => {
    const unknown = decideCollapse(load(10), { ...unknownOccasion, model: "someone-else-9" }, RULE);
    expect(unknown).toEqual(decideCollapse(load(10), unknownOccasion, RULE));
    expect(decideCollapse(load(10), { ...unknownOccasion, model: "claude-sonnet-4-6" }, RULE).why).toBe("paid");
  });
});
