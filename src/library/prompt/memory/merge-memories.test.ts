import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeMemories } from "./merge-memories.ts";

const EMPTY = { index: "", topics: {} };
const on = { date: "2026-01-02" };

describe("merging memories", () => {
  it("[R122] puts each into its topic with its date, and the topic into the index", () => {
    const merged = mergeMemories(
      EMPTY,
      [
        { topic: "Testing", text: "Run `vitest`\nwith two workers." },
        { topic: "Release", text: "Tag before publishing." },
        { topic: "testing", text: "Fixtures are recorded." },
      ],
      on,
    );
    expect(merged.index).toMatchInlineSnapshot(`
      "# Memory
      - [Testing](testing.md): Run \`vitest\` with two workers.
      - [Release](release.md): Tag before publishing.
      "
    `);
    expect(merged.changed["testing.md"]).toMatchInlineSnapshot(`
      "# Testing
      - 2026-01-02: Run \`vitest\` with two workers.
      - 2026-01-02: Fixtures are recorded.
      "
    `);
  });

  it("[R122] keeps the older of two that say the same, with its date", () => {
    const topics = { "testing.md": "# Testing\n- 2025-12-01: Fixtures are recorded.\n" };
    const merged = mergeMemories(
      { index: "- [Testing](testing.md): x\n", topics },
      [{ topic: "Testing", text: "fixtures  are recorded" }],
      on,
    );
    expect(merged.changed).toEqual({});
    expect(merged.duplicates).toEqual([{ file: "testing.md", text: "fixtures are recorded" }]);
    expect(merged.index).toBe("- [Testing](testing.md): x\n");
  });

  it("[R122] overwrites nothing: what contradicts is added below, and a person's words stay where they are", () => {
    const topic = "# My tests\n\nHand-written, no line feed at the end.\n- 2025-12-01: The port is 8080.";
    const merged = mergeMemories(
      { index: "mine", topics: { "tests.md": topic } },
      [{ topic: "Tests", text: "The port is 3000." }],
      on,
    );
    expect(merged.changed["tests.md"]).toBe(`${topic}\n- 2026-01-02: The port is 3000.\n`);
    expect(merged.index).toBe("mine\n- [Tests](tests.md): The port is 3000.\n");
  });

  it("cuts what is too long to be a lesson, visibly, and leaves out what is empty", () => {
    const { added } = mergeMemories(
      EMPTY,
      [
        { topic: "a", text: "x".repeat(5000) },
        { topic: "a", text: " \n" },
      ],
      on,
    );
    expect(added).toHaveLength(1);
    expect(added[0]?.text.length).toBeLessThanOrEqual(600);
    expect(added[0]?.text.endsWith("[truncated]")).toBe(true);
  });

  it("takes no wrong date", () => {
    expect(() => mergeMemories(EMPTY, [], { date: "yesterday" })).toThrow("date");
  });

  it("[R122] never loses a line, and finds nothing new the second time", () => {
    const memory = fc.record({ topic: fc.constantFrom("a", "B", "memory", "測"), text: fc.string({ maxLength: 40 }) });
    fc.assert(
      fc.property(fc.array(memory), fc.array(memory), (first, second) => {
        const once = mergeMemories(EMPTY, first, on);
        const texts = { index: once.index, topics: once.changed };
        const twice = mergeMemories(texts, second, { date: "2026-02-03" });
        expect(twice.index.startsWith(once.index)).toBe(true);
        for (const [file, text] of Object.entries(twice.changed))
          expect(text.startsWith(once.changed[file] ?? "")).toBe(true);
        expect(mergeMemories(texts, first, on)).toMatchObject({ added: [], changed: {}, index: once.index });
      }),
    );
  });
});
