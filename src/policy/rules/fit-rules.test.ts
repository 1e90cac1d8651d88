import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitRules, MAX_RULES_CHARACTERS } from "./fit-rules.ts";

describe("fitRules", () => {
  it("[R146] tells every rule file in the order of names", () => {
    const { text } = fitRules([
      { name: "rules/b.md", text: "second\n" },
      { name: "rules/a.md", text: "first\n" },
    ]);
    expect(text).toBe("Project rules (rules/*.md):\n\n## rules/a.md\nfirst\n\n## rules/b.md\nsecond");
  });

  it("[R146] [R135] [R137] cuts a file of more than 4,000 characters, where one can see it", () => {
    const short = fitRules([{ name: "a.md", text: "x".repeat(4000) }]);
    expect(short.truncated).toEqual([]);
    const { text, truncated } = fitRules([{ name: "a.md", text: "x".repeat(4001) }]);
    expect(truncated).toEqual(["a.md"]);
    expect(text).toMatch(/x\n\[truncated\]$/);
  });

  it("[R146] [R136] never tells more than 12,000 characters, and names what it cut", () => {
    const files = ["a", "b", "c", "d", "e"].map((name) => ({ name: `${name}.md`, text: `${name} `.repeat(1900) }));
    const { text, truncated } = fitRules(files);
    expect(text.length).toBeLessThanOrEqual(MAX_RULES_CHARACTERS);
    expect(truncated).toContain("e.md");
    expect(text).toContain("[truncated]");
  });

  it("[R126] tells the same text once", () => {
    const { text } = fitRules([
      { name: "a.md", text: "same" },
      { name: "b.md", text: "same\n" },
    ]);
    expect(text).not.toContain("b.md");
  });

  it("says nothing without rules", () => {
    expect(fitRules([{ name: "a.md", text: "  \n" }]).text).toBe("");
  });

  it("stays within any budget, whatever the files", () => {
    const file = fc.record({ name: fc.string({ maxLength: 20 }), text: fc.string({ maxLength: 3000 }) });
    fc.assert(
      fc.property(fc.array(file, { maxLength: 8 }), fc.integer({ min: 0, max: 5000 }), (files, maxTotalCharacters) => {
        const { text } = fitRules(files, { maxTotalCharacters });
        expect(text === "" || text.length <= Math.max(maxTotalCharacters, 27)).toBe(true);
      }),
    );
  });
});
