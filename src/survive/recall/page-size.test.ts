import { describe, expect, it, test } from "vitest";
import { rateModel } from "../../models/economics/rates.ts";
import { choosePageSize, countPageTokens, keepPageSize, SMALLEST_PAGE } from "./page-size.ts";

const at = (contextTokens: number | undefined, model = "claude-sonnet-4-6", share1h = 0) =>
  choosePageSize({ model, contextTokens, share1h });

describe("the size of a page", () => {
  it("grows with the context that a further request would read again", () => {
    // 6 x (60,000 x 0.1 + 750) / 3.25 tokens of 2.8 characters.
    expect(at(60_000)).toBe(34_892);
    expect(at(70_000)).toBeGreaterThan(at(60_000));
  });

  it("is smaller where reading is cheaper or writing dearer", () => {
    expect(at(100_000, "claude-opus-5-5")).toBeLessThan(at(100_000, "claude-opus-5"));
    expect(at(60_000, "claude-opus-5", 1)).toBeLessThan(at(60_000, "claude-opus-5", 0));
  });

  it("is never below what a result usually weighs nor above what the client shows, whatever it is told", () => {
    for (const context of [-1, 0, 1, 1e9]) {
      expect(at(context)).toBeGreaterThanOrEqual(SMALLEST_PAGE);
      expect(at(context)).toBeLessThanOrEqual(48_000);
    }
  });

  it("holds 99 of 100 results where nothing is known of the context", () => {
    expect([at(undefined), at(Number.NaN)]).toEqual([SMALLEST_PAGE, SMALLEST_PAGE]);
    expect(SMALLEST_PAGE).toBeGreaterThan(29_000);
  });

  it("stays with a question, however the context grows, and with the last 200 of them", () => {
    const sizes = new Map<string, number>();
    expect(keepPageSize(sizes, "a", () => 1)).toBe(1);
    expect(keepPageSize(sizes, "a", () => 2)).toBe(1);
    for (let other = 0; other < 199; other++) keepPageSize(sizes, String(other), () => 3);
    expect(keepPageSize(sizes, "a", () => 4)).toBe(1);
    for (let other = 0; other < 200; other++) keepPageSize(sizes, String(other), () => 3);
    expect(sizes.size).toBe(200);
    expect(keepPageSize(sizes, "a", () => 5)).toBe(5);
  });
});

const rates = { read: 0.1, write: 1.25, output: 5 };

test("the page is where one request more costs what carrying the half of it that may not be needed does", () => {
  // A request more: 100,000 x 0.1 to read the context, 150 x 5 to write the call. A token carried: 1.25 + 20 x 0.1.
  expect(countPageTokens(100_000, rates)).toBeCloseTo((6 * (10_000 + 750)) / 3.25, 6);
  expect(Math.round(countPageTokens(100_000, rates))).toBe(19_846);
  expect(Math.round(countPageTokens(20_000, rates))).toBe(5077);
});

/** What it costs to read a text in so many pages, counted out reader by reader: half need it all, half up to anywhere. */
function payFor(textTokens: number, pages: number, contextTokens: number): number {
  const request =
    contextTokens * rates.read + 150 * rates.output + (textTokens / pages) * (rates.write + 20 * rates.read);
  const depths = Array.from({ length: 1000 }, (_, index) => (index + 0.5) / 1000);
  const partly = depths.reduce((sum, depth) => sum + Math.ceil(depth * pages) * request, 0) / depths.length;
  return (partly + pages * request) / 2;
}

test.each([10_000, 50_000, 100_000, 180_000])(
  "at %i tokens of context, one page is the cheapest of all numbers of pages below it, and two are cheaper above it",
  (contextTokens) => {
    const limit = countPageTokens(contextTokens, rates);
    for (const pages of [2, 3, 4, 8])
      expect(payFor(limit * 0.99, 1, contextTokens)).toBeLessThan(payFor(limit * 0.99, pages, contextTokens));
    expect(payFor(limit * 1.01, 2, contextTokens)).toBeLessThan(payFor(limit * 1.01, 1, contextTokens));
  },
);

test("a cheaper reading makes pages smaller, a dearer writing too, and never a page of nothing", () => {
  const cheap = rateModel("claude-opus-5-5");
  expect(countPageTokens(100_000, { ...cheap, write: cheap.write5m })).toBeLessThan(countPageTokens(100_000, rates));
  expect(countPageTokens(100_000, { ...rates, write: 2 })).toBeLessThan(countPageTokens(100_000, rates));
  for (const contextTokens of [0, -5]) expect(countPageTokens(contextTokens, rates)).toBeGreaterThan(0);
});

test("a result of 30,000 characters in one page is at most a fifteenth dearer than the cheapest, from 20,000 tokens on", () => {
  for (const contextTokens of [20_000, 30_000, 50_000]) {
    const cheapest = Math.min(...[1, 2, 3, 4, 5, 6].map((pages) => payFor(30_000 / 2.8, pages, contextTokens)));
    expect(payFor(30_000 / 2.8, 1, contextTokens)).toBeLessThan((cheapest * 16) / 15);
  }
});
