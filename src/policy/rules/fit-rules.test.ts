/** If red: a rule file is cut or left out without being named. */
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

  it("[R111] flags rules that cannot both be followed, tells both and picks none", () => {
    const { text } = fitRules([
      { name: "a.md", text: "Always use tabs." },
      { name: "b.md", text: "Never use tabs." },
    ]);
    expect(text).toBe(
      [
        "Project rules (rules/*.md):",
        "",
        'CONFLICT on "use tabs": instruction files disagree, none was picked; ask which one holds.',
        "- a.md (project): Always use tabs.",
        "- b.md (project): Never use tabs.",
        "",
        "## a.md",
        "Always use tabs.",
        "",
        "## b.md",
        "Never use tabs.",
      ].join("\n"),
    );
  });

  it("[R111] leaves most of the room to the rules, however many disagree", () => {
    const say = (word: string) => Array.from({ length: 400 }, (_, at) => `${word} use plank ${at} here.`).join("\n");
    const files = [
      { name: "a.md", text: say("Always") },
      { name: "b.md", text: say("Never") },
    ];
    const { text } = fitRules(files, { maxTotalCharacters: 8000 });
    expect(text.length).toBeLessThanOrEqual(8000);
    expect(text.indexOf("## a.md")).toBeLessThan(2100);
    expect(text.indexOf("## a.md")).toBeGreaterThan(1000);
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

  it("[R137] gives every file the same share of a room that is too small for all", () => {
    const files = ["a", "b", "c", "d"].map((name) => ({ name: `${name}.md`, text: `${name} `.repeat(1950) }));
    const parts = fitRules(files, { maxTotalCharacters: 9300 })
      .text.split(/## \w\.md\n/)
      .slice(1);
    const lengths = parts.map((part) => part.trimEnd().length);
    expect(lengths).toHaveLength(4);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThan(5);
  });

  it("[R137] names every file that has no room", () => {
    const files = ["a", "m0", "m1", "m2", "m3", "m4", "z"].map((name) => ({
      name: `.plimsoll/rules/${name}.md`,
      text: `${name} is a rule. `.repeat(220),
    }));
    const { text, truncated } = fitRules(files, { maxTotalCharacters: 1200 });
    for (const { name } of files) expect(text).toContain(name);
    expect(text).toContain("[truncated] No room here, read them when they matter: ");
    expect(truncated.at(-1)).toBe(".plimsoll/rules/z.md");
    expect(text.length).toBeLessThanOrEqual(1200);
  });

  it("[R137] tells or names every file, or says how many more there are, whatever the files and the room", () => {
    const file = fc.record({
      name: fc.stringMatching(/^[a-z]{1,12}$/).map((name) => `rules/${name}.md`),
      text: fc.string({ minLength: 1, maxLength: 3000 }).map((text) => `x${text}`),
    });
    const distinct = fc.uniqueArray(file, { maxLength: 60, selector: ({ name }) => name });
    fc.assert(
      fc.property(distinct, fc.integer({ min: 300, max: 9000 }), (files, maxTotalCharacters) => {
        const unique = files.map((one, index) => ({ ...one, text: `${index} ${one.text}` }));
        const { text } = fitRules(unique, { maxTotalCharacters });
        const missing = unique.filter(({ name }) => !text.includes(name)).length;
        const more = Number(/[,:] and (\d+) more$/.exec(text)?.[1] ?? 0);
        expect(missing).toBe(more);
        expect(text.length).toBeLessThanOrEqual(maxTotalCharacters);
      }),
    );
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
