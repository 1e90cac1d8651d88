import { describe, expect, it } from "vitest";
import { isPasted } from "./is-pasted.ts";

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
