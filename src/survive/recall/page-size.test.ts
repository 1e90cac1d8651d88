import { describe, expect, it } from "vitest";
import { choosePageSize, keepPageSize, SMALLEST_PAGE } from "./page-size.ts";

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
