/** If red: notes grow without end, or open work leaves before what is done. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CUMULATIVE_NOTES, mergeNotes, type Note, parseNotes, TASK_NOTES } from "./section-notes.ts";

const AT = Date.UTC(2026, 0, 2, 10, 20);
const at = (atMs: number, shape = CUMULATIVE_NOTES) => ({ shape, atMs });
const countLines = (text: string): number => text.replace(/\n$/, "").split("\n").length;
const topics = (count: number): readonly Note[] =>
  Array.from({ length: count }, (_, index) => ({ section: "Active Topics", text: `topic ${index}` }));

describe("notes by section", () => {
  it("[R118] begin with their fixed sections, and date every item", () => {
    const { text } = mergeNotes(
      "",
      [{ section: "What Failed", text: "tried X, failed because Y" }],
      at(AT, TASK_NOTES),
    );
    expect(text).toBe(`# Task Notes

## What Worked

## What Failed
- tried X, failed because Y (2026-01-02 10:20)

## What's Left

## Key Context
`);
    expect(parseNotes(text)).toEqual([{ section: "What Failed", text: "tried X, failed because Y", atMs: AT }]);
  });

  it("[R120] add below what is there, once", () => {
    const own = "# Mine\n\n## Active Topics\n- by hand\n  in two lines\n\n## Other\ntext\n";
    const { text } = mergeNotes(own, [{ section: "Active Topics", text: "new" }], at(AT));
    expect(text).toBe(
      "# Mine\n\n## Active Topics\n- by hand\n  in two lines\n- new (2026-01-02 10:20)\n\n## Other\ntext\n",
    );
    expect(mergeNotes(text, [{ section: "Active Topics", text: "new" }], at(AT + 1e9))).toEqual({ text, evicted: [] });
  });

  it("[R120] open a section that is not there", () => {
    const { text } = mergeNotes("# Mine\n", [{ section: "Risks", text: "one" }], at(AT));
    expect(text).toBe("# Mine\n\n## Risks\n- one (2026-01-02 10:20)\n");
  });

  it.each([
    [CUMULATIVE_NOTES, 200],
    [TASK_NOTES, 50],
  ])("[R118] stay within their lines: %o", (shape, maxLines) => {
    const { text, evicted } = mergeNotes("", topics(300), at(AT, shape));
    expect(countLines(text)).toBeLessThanOrEqual(maxLines);
    expect(parseNotes(text).length + evicted.length).toBe(300);
    expect(text).toContain("topic 299");
    expect(evicted[0]).toContain("topic 0 ");
  });

  it("[R118] let what is done go before what is open, and the fullest section before the others", () => {
    const done = { section: "What Worked", text: "[x] finished" };
    const rare = { section: "Key Context", text: "the only one" };
    const open = Array.from({ length: 39 }, (_, index) => ({ section: "What's Left", text: `[ ] step ${index}` }));
    const full = mergeNotes("", [done, rare, ...open], at(AT, TASK_NOTES));
    expect(full.evicted).toEqual([]);
    const one = mergeNotes(full.text, [{ section: "What's Left", text: "[ ] more" }], at(AT, TASK_NOTES));
    expect(one.evicted.join()).toContain("finished");
    const two = mergeNotes(one.text, [{ section: "What's Left", text: "[ ] and more" }], at(AT, TASK_NOTES));
    expect(two.evicted.join()).toContain("step 0 ");
    expect(two.text).toContain("the only one");
  });

  it("[R118] keep the limit whatever the file held, and lose no line that is not handed over", () => {
    const anyLine = fc.constantFrom("# a", "## b", "## c", "- item", "- [x] done", "  more", "", "prose");
    const anyFile = fc.array(anyLine, { maxLength: 120, size: "max" }).map((lines) => lines.join("\n"));
    const anyNote = fc.record({ section: fc.constantFrom("b", "c", "d", ""), text: fc.string() });
    fc.assert(
      fc.property(anyFile, fc.array(anyNote, { maxLength: 60, size: "max" }), (file, notes) => {
        const { text, evicted } = mergeNotes(file, notes, at(AT, TASK_NOTES));
        expect(countLines(text)).toBeLessThanOrEqual(50);
        const after = [...text.split("\n"), ...evicted.join("\n").split("\n")];
        for (const line of file.split("\n")) expect(after).toContain(line);
      }),
    );
  });
});
