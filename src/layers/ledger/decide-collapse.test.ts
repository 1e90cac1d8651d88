import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Occasion, unknownOccasion } from "../../core/layer.ts";
import { type CollapseRule, decideCollapse, type HistoryLoad } from "./decide-collapse.ts";

const RULE: CollapseRule = { patience: 1, leastTokens: 9_000, keepExchanges: 3, mostInVain: 1 };

/** So many old exchanges: each frees 1,000 tokens and leaves 100; 1,000 tokens stay. */
function load(exchanges: number, more: Partial<HistoryLoad> = {}): HistoryLoad {
  const old = Array.from({ length: exchanges }, () => ({ gainTokens: 1_000, keptTokens: 100 }));
  return { ledgerTokens: 0, old, tailTokens: 1_000, ...more };
}

describe("deciding when to collapse", () => {
  // Read 0.1, written 1.25, output 5. Carried: 0.1 * 1,000 * (1 + … + n) = 50 n (n + 1). Cost: (100 n + 1,000) * 1.15 for
  // writing anew, and two recalls of (100 n + 1,000) * 0.1 + 150 * 5 + 1,500 * 1.25: together 135 n + 6,600.
  test("happens as soon as carrying has cost what rewriting costs, and not an exchange earlier", () => {
    const before = decideCollapse(load(12), unknownOccasion, RULE);
    expect(before).toMatchObject({ isDue: false, why: "notYet", gainTokens: 12_000 });
    expect(before.carriedUnits).toBeCloseTo(7_800);
    expect(before.costUnits).toBeCloseTo(8_220);
    const due = decideCollapse(load(13), unknownOccasion, RULE);
    expect(due).toMatchObject({ isDue: true, why: "paid", gainTokens: 13_000 });
    expect(due.carriedUnits).toBeCloseTo(9_100);
    expect(due.costUnits).toBeCloseTo(8_355);
  });

  test("counts what a client says again in messages as written anew, and not where the edit's place is marked", () => {
    const cost = (more: Partial<Occasion>): number =>
      decideCollapse(load(13), { ...unknownOccasion, baseTokens: 20_000, ...more }, RULE).costUnits;
    expect(cost({ repeatedTokens: 9_000 }) - cost({})).toBeCloseTo(9_000 * 1.15);
    expect(cost({ repeatedTokens: 9_000, isCold: true })).toBeCloseTo(cost({ isCold: true }));
    expect(cost({ repeatedTokens: 9_000, marks: "atEdit" })).toBeCloseTo(cost({ marks: "atEdit" }));
  });

  test("counts one recall more for a later collapse and two for the first: a session may end right behind it", () => {
    const [first, later] = [0, 1].map((ledgerTokens) =>
      decideCollapse(load(10, { ledgerTokens }), { ...unknownOccasion, isCold: true }, RULE),
    );
    expect(first?.costUnits).toBeCloseTo(2 * (2_000 * 0.1 + 2_625));
    expect(later?.costUnits).toBeCloseTo(2_001 * 0.1 + 2_625);
  });

  test("waits longer with more patience, and not at all without", () => {
    const decide = (exchanges: number, patience: number) =>
      decideCollapse(load(exchanges), unknownOccasion, { ...RULE, patience }).why;
    // 50 n (n + 1) reaches 2 * (135 n + 6,600) at 19: 19,000 against 18,330.
    expect([decide(18, 2), decide(19, 2)]).toEqual(["notYet", "paid"]);
    expect([decide(8, 0), decide(9, 0)]).toEqual(["tooLittle", "paid"]);
  });

  test("happens at once when the cache is cold, however few exchanges, where what need not be written pays for the recalls", () => {
    const cold = { ...unknownOccasion, isCold: true };
    // 1,250 n against 2 * ((100 n + 1,000) * 0.1 + 2,625): reached at 5, 6,250 against 5,550.
    expect([4, 5].map((exchanges) => decideCollapse(load(exchanges), cold, RULE).why)).toEqual(["tooLittle", "cold"]);
    expect(decideCollapse(load(5), cold, { ...RULE, patience: 1_000 }).isDue).toBe(true);
  });

  test("waits with a first collapse until the session has cost ten times as much, and with no later one", () => {
    const careful = { ...RULE, mostInVain: 0.1 };
    const at = (exchanges: number, more: Partial<HistoryLoad> = {}) =>
      decideCollapse(load(exchanges, more), { ...unknownOccasion, baseTokens: 20_000 }, careful).why;
    // Written once and read since: 20,000 * (1.25 + 0.1 (n + 3)) + 1,100 * (1.25 n + 0.05 n (n + 7)) + 1,250.
    expect([at(20), at(21)]).toEqual(["tooEarly", "paid"]);
    expect(at(20, { ledgerTokens: 1 })).toBe("paid");
  });

  test("happens at a cold moment wherever it would at a warm one", () => {
    const exchange = fc.record({ gainTokens: fc.nat(20_000), keptTokens: fc.nat(2_000) });
    const arbitrary = fc.record({
      ledgerTokens: fc.nat(30_000),
      old: fc.array(exchange, { maxLength: 40 }),
      tailTokens: fc.nat(50_000),
    });
    fc.assert(
      fc.property(arbitrary, fc.nat(50_000), fc.constantFrom(0, 1), (history, baseTokens, share1h) => {
        const occasion = { ...unknownOccasion, baseTokens, share1h };
        const warm = decideCollapse(history, occasion, { ...RULE, leastTokens: 5_000 });
        const cold = decideCollapse(history, { ...occasion, isCold: true }, { ...RULE, leastTokens: 5_000 });
        if (warm.isDue) expect(cold.isDue).toBe(true);
        expect(cold.costUnits).toBeLessThanOrEqual(warm.costUnits);
      }),
    );
  });

  test("leaves too little alone, however long it was carried", () => {
    const old = Array.from({ length: 2_000 }, () => ({ gainTokens: 1, keptTokens: 0 }));
    const verdict = decideCollapse(load(0, { old }), unknownOccasion, RULE);
    expect(verdict.carriedUnits).toBeGreaterThan(verdict.costUnits);
    expect(verdict).toMatchObject({ isDue: false, why: "tooLittle", gainTokens: 2_000 });
  });

  test("leaves fewer than eight exchanges alone while the cache is warm, however heavy", () => {
    const decide = (exchanges: number) =>
      decideCollapse(
        load(0, { old: Array.from({ length: exchanges }, () => ({ gainTokens: 50_000, keptTokens: 0 })) }),
        unknownOccasion,
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
    // (100 * 10 + 1,000) * 1.15, and one recall that reads the ledger, too.
    expect(atEdit.costUnits).toBeCloseTo(5_125 + 10_000 * 0.1);
    expect([client.isDue, atEdit.isDue]).toEqual([false, false]);
    expect(
      decideCollapse(load(11, { ledgerTokens: 10_000 }), { ...unknownOccasion, marks: "atEdit" }, RULE).isDue,
    ).toBe(true);
  });

  test("what every request carries makes a recall dearer, and longer life makes rewriting dearer", () => {
    const plain = decideCollapse(load(10), unknownOccasion, RULE).costUnits;
    expect(decideCollapse(load(10), { ...unknownOccasion, baseTokens: 20_000 }, RULE).costUnits).toBeCloseTo(
      plain + 2 * 20_000 * 0.1,
    );
    // 2 instead of 1.25 for 2,000 tokens written anew and twice 1,500 recalled.
    expect(decideCollapse(load(10), { ...unknownOccasion, share1h: 1 }, RULE).costUnits).toBeCloseTo(
      plain + 0.75 * (2_000 + 2 * 1_500),
    );
  });

  test("has paid for itself after as many requests as its cost holds what one of them saves", () => {
    expect(decideCollapse(load(10), unknownOccasion, RULE).breakEvenRequests).toBeCloseTo(7.95);
    expect(decideCollapse(load(0), unknownOccasion, RULE)).toMatchObject({
      isDue: false,
      why: "tooLittle",
      breakEvenRequests: Number.POSITIVE_INFINITY,
    });
  });

  test("where every token counts the same, rewriting costs nothing more than reading, and a recall is dear", () => {
    const alike = { ...unknownOccasion, weights: { read: 1, write: 1, output: 1 } };
    const { costUnits, carriedUnits } = decideCollapse(load(10), alike, RULE);
    expect(carriedUnits).toBeCloseTo(55_000);
    expect(costUnits).toBeCloseTo(2 * (2_000 + 150 + 1_500));
  });

  test("a model that nobody knows is weighed by the usual relations", () => {
    const unknown = decideCollapse(load(10), { ...unknownOccasion, model: "someone-else-9" }, RULE);
    expect(unknown).toEqual(decideCollapse(load(10), unknownOccasion, RULE));
    expect(decideCollapse(load(13), { ...unknownOccasion, model: "claude-sonnet-4-6" }, RULE).why).toBe("paid");
  });
});
