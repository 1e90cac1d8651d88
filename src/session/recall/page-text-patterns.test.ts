import { describe, expect, it } from "vitest";
import { pageText } from "./page-text.ts";

describe("a pattern", () => {
  it.each(["((a+))+$", "(a|a)+$", "(a?){30}b", "a*a*a*a*a*b", `${".?".repeat(26)}z`, ".*.*.*z"])(
    "that could take for ever, %s, answers at once",
    (pattern) => {
      const startMs = performance.now();
      pageText(`${"a".repeat(5000)}!\n`.repeat(20), { pattern });
      expect(performance.now() - startMs).toBeLessThan(1000);
    },
  );

  it("finds a word far in a long line", () => {
    expect(pageText(`${"x ".repeat(3000)}needle`, { pattern: "needle" }).note).toMatch(/^1 of 1/);
  });
});
