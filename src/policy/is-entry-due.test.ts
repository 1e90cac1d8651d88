/** If red: a model is offered no way to fetch originals back, or one that breaks its cache for nothing. */
import { describe, expect, it } from "vitest";
import { isEntryDue, mayServeRecall, type RecallEntry } from "./is-entry-due.ts";

const entry = (given: Partial<RecallEntry>): RecallEntry => ({
  model: "claude-sonnet-4-6",
  rewrittenTokens: 0,
  savedTokens: 4_000,
  unwrittenTokens: 0,
  share1h: 0,
  losesThinking: false,
  ...given,
});

describe("the first thing that leaves a conversation", () => {
  it("brings the tool where nothing is cached before it", () => {
    expect(isEntryDue(entry({}))).toBe(true);
  });

  it("brings the tool as long as what it saves is worth more than what is written anew", () => {
    // 4,000 less in each of 59 requests at a tenth: 23,600; written anew for 1.25 and not read for 0.1.
    expect(isEntryDue(entry({ rewrittenTokens: 20_500 }))).toBe(true);
    expect(isEntryDue(entry({ rewrittenTokens: 20_600 }))).toBe(false);
  });

  it("is worth more where it was never written", () => {
    const rewrittenTokens = 24_000;
    expect(isEntryDue(entry({ rewrittenTokens }))).toBe(false);
    expect(isEntryDue(entry({ rewrittenTokens, unwrittenTokens: 4_000 }))).toBe(true);
  });

  it("never costs a model its thinking", () => {
    expect(isEntryDue(entry({ losesThinking: true }))).toBe(false);
  });
});

it.each([
  [true, "", true],
  [true, "auto", true],
  [true, "any", true],
  [true, "tool", false],
  [true, "none", false],
  [true, "of the future", false],
  [false, "", false],
])("recall is served where tools are offered (%s) with the choice '%s': %s", (hasTools, toolChoice, isServed) => {
  expect(mayServeRecall({ hasTools, toolChoice })).toBe(isServed);
});
