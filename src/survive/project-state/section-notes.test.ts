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

  it("[R118] are read with their section and date, however an item was wrapped, and prose is none", () => {
    const text =
      "- early\n## Topics \nprose\n- one\n  in two lines (2026-01-02 10:20)\n\n  no part\n- two (2026-01-03)\n";
    expect(parseNotes(text)).toEqual([
      { section: "", text: "early", atMs: undefined },
      { section: "Topics", text: "one in two lines", atMs: AT },
      { section: "Topics", text: "two", atMs: Date.UTC(2026, 0, 3) },
    ]);
  });

  it("[R120] are compared in one line and without their date, empty ones left out, and each is added once", () => {
    const added = [
      { section: "Active Topics", text: "a\ntopic (2026-01-01)" },
      { section: "Active\nTopics", text: "a topic" },
      { section: "Active Topics", text: " " },
    ];
    const { text } = mergeNotes("\n", added, at(AT));
    expect(text).toBe(`# Cumulative Project Notes

## Project Profile

## Architecture Map

## Recurring Themes

## Active Topics
- a topic (2026-01-02 10:20)

## Relationship Map

## Follow-Up Items

## Attention Points
`);
    expect(mergeNotes("", [], at(AT))).toEqual({ text: "", evicted: [] });
  });

  it("[R120] take an item off that is settled, with all its lines, where it is ours and in its section", () => {
    const own = "## A\n- one\n  two (2026-01-01 09:00)\n- one two\n## B\n- one two (2026-01-01 09:00)\n";
    const settled = { section: "A", text: "one two", isSettled: true };
    expect(mergeNotes(own, [settled], at(AT))).toEqual({
      text: "## A\n- one two\n## B\n- one two (2026-01-01 09:00)\n",
      evicted: ["- one\n  two (2026-01-01 09:00)"],
    });
  });

  it("[R118] shorten a file that is too long though nothing is added, prose and headings last of all", () => {
    const shape = { header: "", maxLines: 5, sections: [] };
    const own = "# Mine\n## A\n- a1\n- a2\n## B\n- b1\n- [X] b2\n";
    expect(mergeNotes(own, [], at(AT, shape))).toEqual({
      text: "# Mine\n## A\n- a2\n## B\n- b1\n",
      evicted: ["- a1", "- [X] b2"],
    });
    expect(mergeNotes("a\nb\nc\nd\ne\nf\n", [], at(AT, shape))).toEqual({ text: "a\nb\nc\nd\ne\n", evicted: ["f"] });
    expect(mergeNotes("a\nb\nc\nd\ne", [], at(AT, shape))).toEqual({ text: "a\nb\nc\nd\ne", evicted: [] });
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
