import { describe, expect, it } from "vitest";
import { isLasting } from "./is-lasting.ts";

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
