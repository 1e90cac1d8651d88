/** If red: merging a memory overwrites a lesson or the person's own lines. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { consolidateMemories, mergeMemories } from "./merge-memories.ts";

const EMPTY = { index: "", topics: {} };
const on = { date: "2026-01-02" };

describe("merging memories", () => {
  it("keeps every lesson that one conversation taught about a topic that is known already", () => {
    const texts = { index: "- [Tests](tests.md): x\n", topics: { "tests.md": "# Tests\n- 2026-01-01: old\n" } };
    const extracted = ["one", "two"].map((text) => ({ topic: "tests", text }));
    expect(mergeMemories(texts, extracted, { date: "2026-02-01" }).changed).toEqual({
      "tests.md": "# Tests\n- 2026-01-01: old\n- 2026-02-01: one\n- 2026-02-01: two\n",
    });
  });

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

describe("a memory that is put in order", () => {
  it("[R122] lists every topic once, unlists what is gone, and keeps the older of two lessons that say the same", () => {
    const put = consolidateMemories({
      index: "# Memory\nmy own line\n- [Gone](gone.md): x\n- [Tests](tests.md): y\n- [Tests again](tests.md): z\n",
      topics: {
        "deploy.md": "# Deploy\n- 2026-01-02: Never on a Friday.\n",
        "tests.md": "# Tests\n- 2026-01-01: Use vitest.\nby hand\n- 2026-01-05: use  vitest\n- 2026-01-06: Use jest.\n",
      },
    });
    expect(put.index).toBe(
      "# Memory\nmy own line\n- [Tests](tests.md): y\n- [Deploy](deploy.md): Never on a Friday.\n",
    );
    expect(put.changed).toEqual({
      "tests.md": "# Tests\n- 2026-01-01: Use vitest.\nby hand\n- 2026-01-06: Use jest.\n",
    });
    expect(put.unlisted).toEqual(["- [Gone](gone.md): x", "- [Tests again](tests.md): z"]);
    expect(put.repeated).toEqual([{ file: "tests.md", line: "- 2026-01-05: use  vitest" }]);
    expect(put.listed).toEqual(["deploy.md"]);
  });

  it("[R122] finds nothing the second time, and takes no line but those that it names", () => {
    const line = fc.oneof(fc.constantFrom("- a", "- 2026-01-02: A.", "# T", "", "- b"), fc.string({ maxLength: 9 }));
    const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, fc.dictionary(fc.constantFrom("a.md", "b.md"), text), (index, topics) => {
        const once = consolidateMemories({ index, topics });
        const after = { index: once.index, topics: { ...topics, ...once.changed } };
        expect(consolidateMemories(after)).toEqual({
          index: once.index,
          changed: {},
          repeated: [],
          unlisted: [],
          listed: [],
        });
        const count = (texts: typeof topics): number =>
          Object.values(texts).reduce((sum, one) => sum + one.split("\n").length, 0);
        expect(count(after.topics) + once.repeated.length).toBe(count(topics));
      }),
    );
  });
});
