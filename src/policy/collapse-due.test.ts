/** If red: a compaction starts before it pays, in the middle of an edit, or never. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitrarySession } from "../../test/support/arbitrary-session.ts";
import { tries } from "../../test/support/depth.ts";
import { findViolations, renderViolation } from "../core/apply-edits.ts";
import type { Message } from "../core/message.ts";
import { splitExchanges } from "../layers/history/exchanges.ts";
import { NOTHING_AT_HAND, type WorkMoment } from "./advice/work-moment.ts";
import {
  type Carried,
  countLeaving,
  type DueSettings,
  decideDue,
  isSplitWorth,
  isSummaryDue,
  weighPrice,
} from "./collapse-due.ts";
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
  level: "GREEN",
  compactionPointTokens: 167_000,
  work: NOTHING_AT_HAND,
  ...more,
});
const kindOf = (carried: Carried, settings: Partial<DueSettings> = {}): string | undefined =>
  decideDue(carried, { ...DEFAULT_SETTINGS, ...settings })?.kind;

describe("a compaction that would be brought about", () => {
  it("is due once carrying has cost what rewriting costs, and later for the cautious", () => {
    const first = (policy: DueSettings["policy"]): number =>
      Array.from({ length: 60 }, (_, old) => old).findIndex(
        (old) => kindOf(carry(old, { work: { ...NOTHING_AT_HAND, isTurnStart: true } }), { policy }) === "price",
      );
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
    // Much of an old exchange may have to stay, too.
    const keeping = (keptTokens: number): Carried => {
      const { load } = carry(0);
      return carry(0, { load: { ...load, old: Array.from({ length: 20 }, () => ({ gainTokens: 1000, keptTokens })) } });
    };
    expect(kindOf(keeping(10), { lineTokens: 42_000 })).toBe("line");
    expect(kindOf(keeping(500), { lineTokens: 42_000 })).toBe("below");
  });

  it("[R68] waits in the middle of an edit, unless half of the line is reached or the cache is cold", () => {
    const work = { ...NOTHING_AT_HAND, exchange: 30, editedAt: 30 };
    const due = decideDue(carry(50, { work }), DEFAULT_SETTINGS);
    expect(due).toMatchObject({ kind: "wait", why: expect.stringContaining("a file is in the middle of an edit") });
    expect(kindOf(carry(50, { work: { ...work, exchange: 31 } }))).toBe("wait");
    expect(kindOf(carry(50, { work: { ...work, exchange: 32 } }))).toBe("price");
    expect(kindOf(carry(50, { work, contextTokens: 83_500 }))).toBe("price");
    expect(kindOf(carry(50, { work, occasion: { ...carry(50).occasion, isCold: true } }))).toBe("price");
  });

  it("waits for a boundary, or for a turn of the person, where they have set that", () => {
    const work = { ...NOTHING_AT_HAND, exchange: 30 };
    const kinds = (more: Partial<WorkMoment>) =>
      (["table", "boundaries", "turns"] as const).map((moments) =>
        kindOf(carry(50, { work: { ...work, ...more } }), { moments }),
      );
    expect(kinds({})).toEqual(["price", "wait", "wait"]);
    expect(kinds({ committedAt: 30 })).toEqual(["price", "price", "wait"]);
    expect(kinds({ isTurnStart: true })).toEqual(["price", "price", "price"]);
  });

  it.each([
    ["[R70] after findings of a linter", { qualityAt: 30 }],
    ["after a result that failed", { failedAt: 29 }],
  ])("waits %s, but never at the person's own line", (_, near) => {
    const work = { ...NOTHING_AT_HAND, exchange: 30, ...near };
    expect(kindOf(carry(50, { work }))).toBe("wait");
    expect(kindOf(carry(50, { work }), { lineTokens: 60_000 })).toBe("line");
  });

  it("[R114] is worth it in the middle of a list where a third of its history frees what the policy asks for", () => {
    expect([4, 6, 7, 20].map((old) => isSplitWorth(carry(old).load, "balanced"))).toEqual([false, false, true, true]);
    expect(isSplitWorth({ ledgerTokens: 20_000, old: [], tailTokens: 20_000 }, "balanced")).toBe(false);
  });

  it.each(["calls", "percent"] as const)(
    "[R41] [R114] is made with the profile %s at RED, or at an ORANGE that the person is asked about",
    (profile) => {
      const made = (level: Carried["level"], early: DueSettings["early"]): boolean =>
        kindOf(carry(50, { level }), { profile, early }) === "price";
      expect([made("GREEN", "price"), made("YELLOW", "ask"), made("ORANGE", "price")]).toEqual([false, false, false]);
      expect([made("ORANGE", "ask"), made("RED", "price"), made("RED", "ask")]).toEqual([true, true, true]);
    },
  );
});

it.each([
  ["RED", false, true],
  ["RED", true, true],
  ["ORANGE", true, true],
  ["ORANGE", false, false],
  ["YELLOW", true, false],
  ["GREEN", true, false],
] as const)("[R41] at %s with approval %s a summary is due: %s", (level, isApproved, isDue) => {
  expect(isSummaryDue(level, { isApproved })).toBe(isDue);
});

describe("what leaves in the middle of a list", () => {
  it.each([
    ["three tenths of ten alike", Array.from({ length: 10 }, () => 1), 3],
    ["by weight, not by number", [2, 1, 1, 1, 1, 1, 1, 1, 1, 1], 2],
    ["nothing where the first one is too heavy", [4, 1, 1, 1], 0],
    ["nothing of nothing", [], 0],
  ])("[R73] is %s", (_, sizes, leaving) => {
    expect(countLeaving(sizes)).toBe(leaving);
  });

  it("[R73] counts what stays in any case as a part of the whole", () => {
    expect([0, 5, 50].map((otherTokens) => countLeaving([3, 3, 3], otherTokens))).toEqual([0, 1, 3]);
  });

  it("[R73, R76] parts no call from its result, and leaves at least seven tenths of the weight", () => {
    const findParted = (messages: readonly Message[]): readonly string[] =>
      findViolations(messages)
        .filter(({ rule }) => rule === "orphanResult" || rule === "unansweredCall" || rule === "repeatedResult")
        .map(renderViolation);
    let splits = 0;
    fc.assert(
      fc.property(arbitrarySession({ maxRounds: 12 }), fc.array(fc.nat(50), { minLength: 1 }), (messages, weights) => {
        const exchanges = splitExchanges(messages);
        const sizes = exchanges.map((_, index) => weights[index % weights.length] ?? 0);
        const leaving = countLeaving(sizes);
        const total = (list: readonly number[]): number => list.reduce((sum, size) => sum + size, 0);
        expect(total(sizes.slice(0, leaving))).toBeLessThanOrEqual(total(sizes) * 0.3);
        const cut = exchanges[leaving]?.first;
        if (leaving === 0 || cut === undefined) return;
        splits++;
        const known = findParted(messages);
        for (const parted of [...findParted(messages.slice(0, cut)), ...findParted(messages.slice(cut))])
          expect(known).toContain(parted);
      }),
      { numRuns: tries(40, 500) },
    );
    expect(splits).toBeGreaterThan(tries(0, 100));
  });
});
