/** If red: past requests are priced by today's list instead of that of their day. */
import { describe, expect, it } from "vitest";
import { zeroUsage } from "../../core/usage.ts";
import { MODELS } from "../model-table.ts";
import { billRequests, isLowerBound } from "./bill.ts";
import { quotePrice } from "./prices.ts";

const usage = { ...zeroUsage, inputTokens: 1000, cacheReadTokens: 100_000, outputTokens: 200 };
const day = (text: string): number => Date.parse(text);

describe("a bill", () => {
  it("prices a past request by what was listed on its day", () => {
    const bill = (atMs: number | undefined): number =>
      billRequests([{ model: "claude-sonnet-5-5", usage, atMs }]).spend.totalUsd;
    const rest = (1000 * 2 + 200 * 10) / 1e6;
    expect(bill(day("2026-10-06T23:59:59Z"))).toBeCloseTo(rest + 100_000 * 0.2e-6, 12);
    expect(bill(day("2026-10-07T00:00:00Z"))).toBeCloseTo(rest + 100_000 * 0.1e-6, 12);
    expect(bill(undefined)).toBeCloseTo(rest + 100_000 * 0.1e-6, 12);
    // A record without a time.
    expect(bill(0)).toBe(bill(undefined));
  });

  it("charges a long prompt of Sonnet 4.6 twice until 13 March 2026, and once from then on", () => {
    const long = { contextTokens: 300_000 };
    expect(quotePrice("claude-sonnet-4-6", { ...long, atMs: day("2026-03-12") })?.price.input).toBe(6);
    expect(quotePrice("claude-sonnet-4-6", { ...long, atMs: day("2026-03-13") })?.price.input).toBe(3);
  });

  it("takes what the client wrote down, and says what the list says next to it", () => {
    const own = { ...usage, recordedUsd: 0.5 };
    const { spend, byClient, unpriced } = billRequests([
      { model: "claude-sonnet-5-5", usage: own },
      { model: "a-model-of-nobody", usage: own },
      { model: "claude-sonnet-5-5", usage },
    ]);
    const listUsd = (1000 * 2 + 200 * 10 + 100_000 * 0.1) / 1e6;
    expect(spend.totalUsd).toBeCloseTo(1 + listUsd, 12);
    expect(spend.inputUsd + spend.cacheReadUsd + spend.cacheWriteUsd + spend.outputUsd).toBeCloseTo(1 + listUsd, 12);
    expect(byClient).toEqual({
      requests: 2,
      usd: 1,
      listedUsd: 0.5,
      listUsd: expect.closeTo(listUsd, 12),
      isAtLeast: false,
    });
    expect(unpriced).toBe(0);
  });

  it("counts what has no price, for its sum is a lower bound then", () => {
    const bill = billRequests([
      { model: "claude-sonnet-5-5", usage },
      { model: "a-model-of-nobody", usage },
    ]);
    expect([bill.unpriced, isLowerBound(bill)]).toEqual([1, true]);
    expect(isLowerBound(billRequests([{ model: "claude-sonnet-5-5", usage }]))).toBe(false);
  });

  it("has former prices in their order, each with a day", () => {
    const former = MODELS.map(({ price }) => price?.before ?? []);
    expect(former.flat().length).toBeGreaterThan(2);
    for (const list of former) {
      const days = list.map(({ until }) => until);
      expect(days).toEqual([...days].sort().reverse());
      for (const until of days) expect(until).toMatch(/^\d{4}-\d\d-\d\d$/);
    }
  });
});
