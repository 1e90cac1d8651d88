/** If red: what the person insisted on is not put back after a compaction. */
import { describe, expect, it } from "vitest";
import { isBinding, isLasting, isPasted } from "./person-words.ts";

describe("isBinding", () => {
  it.each([
    "do not push to main",
    "I'd rather keep the old parser.",
    "can you write a test for each of them?",
    "maybe we should use the last prompt?",
    "is there a way to not use a third party library?",
    "it looks like we should keep both",
    "thats not the branch I was looking for",
  ])("takes an instruction or a preference: %s", (sentence) => {
    expect(isBinding(sentence)).toBe(true);
  });

  it.each([
    "or are we just missing the events?",
    "can you explain: the session persists until cleanup",
    "This causes the total to be 0, without any warning.",
    "if they keep changing it, will we just go on counting?",
    "if we did that, would the others not break?",
    "should all of this go into the store anyway?",
    "TypeError: app.ws is not a function.",
    "just restarted, there are only two panels",
    "hmm, ok seems like it can't get past the screen",
    "If you need specific details from before exiting plan mode (like exact code snippets), read the full transcript at: /a/b.jsonl",
  ])("leaves out a question, a report, or the client's own words: %s", (sentence) => {
    expect(isBinding(sentence)).toBe(false);
  });
});

describe("isLasting", () => {
  it.each([
    "Round the invoice total",
    "can you write a test for each of them?",
    "Step 2: Update the services",
    "do not push to main",
  ])("keeps finished work that left something: %s", (subject) => {
    expect(isLasting(subject)).toBe(true);
  });

  it.each([
    "Run linting and the full test suite",
    "Verify security settings",
    "Step 6: commit and push",
    "why is the agent executing python?",
    "now can you explain: the cache is stale",
  ])("leaves out an answer, a check and handing in: %s", (subject) => {
    expect(isLasting(subject)).toBe(false);
  });
});

describe("isPasted", () => {
  it("takes a prompt with headings or of many lines for a document", () => {
    expect(isPasted("Implement this plan:\n# Plan\n## Step 1\nUse the old parser.")).toBe(true);
    expect(isPasted(Array.from({ length: 30 }, (_, line) => `line ${line}`).join("\n"))).toBe(true);
  });

  it("takes what a person types for their own words, a list among it and however long", () => {
    expect(isPasted("Three things:\n1. never push\n2. keep the tests\n3. use tabs")).toBe(false);
    expect(isPasted("Never touch the migrations folder, please. ".repeat(60))).toBe(false);
  });
});
