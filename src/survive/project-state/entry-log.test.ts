/** If red: an entry in the project's log is lost, changed or written twice. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  appendEntries,
  createEntry,
  type NewEntry,
  parseBullets,
  parseLog,
  renderBullets,
  renderLog,
} from "./entry-log.ts";

const AT = Date.UTC(2026, 0, 2, 10, 20);

const anyLine = fc.oneof(
  fc.constantFrom(
    "## [2026-01-01 10:00] Decision: x",
    "**Context:** y",
    "# Title",
    "- item",
    "  indented",
    "",
    "\r",
    "##",
    "tail \t",
    "a\u2028**Context:** b",
    "a\u2028## [2026-01-01] Decision: c",
  ),
  fc.string({ unit: "binary" }),
);
const anyText = fc.array(anyLine).map((lines) => lines.join("\n"));
const anyEntry: fc.Arbitrary<NewEntry> = fc.record({
  atMs: fc.nat(60_000_000).map((minutes) => minutes * 60_000),
  kind: fc.constantFrom("Decision", "Convention"),
  title: fc.oneof(fc.string({ minLength: 1 }), fc.constant("Use: a colon")),
  fields: fc.record({ Context: anyText, Decision: anyText, Impact: anyText }),
});

const normalise = (text: string): string => text.replace(/\r\n?/g, "\n").trim();

describe("a log of entries", () => {
  it("[R120] comes back byte for byte, whatever stands in it", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(renderLog(parseLog(text))).toBe(text);
      }),
    );
  });

  it("[R120] gives back the entry that was written, whatever its fields hold", () => {
    fc.assert(
      fc.property(anyEntry, (entry) => {
        const { entries } = parseLog(createEntry(entry).raw);
        expect(entries).toHaveLength(1);
        expect(entries[0]).toMatchObject({ atMs: entry.atMs, kind: entry.kind });
        expect(entries[0]?.title).toBe(entry.title.replace(/\s+/g, " ").trim());
        for (const [label, value] of Object.entries(entry.fields))
          expect(entries[0]?.fields[label]).toBe(normalise(value));
      }),
    );
  });

  it("[R120] only ever grows at its end", () => {
    fc.assert(
      fc.property(anyText, fc.array(anyEntry, { maxLength: 4 }), (text, added) => {
        const appended = appendEntries(text, "Decisions Log", added);
        expect(appended.startsWith(text)).toBe(true);
        expect(appendEntries(appended, "Decisions Log", added)).toBe(appended);
      }),
    );
  });

  it("[R120] takes an entry once, also when it is saved again later", () => {
    const entry: NewEntry = { atMs: AT, kind: "Decision", title: "Use files", fields: { Decision: "files" } };
    const once = appendEntries("", "Decisions Log", [entry]);
    expect(appendEntries(once, "Decisions Log", [{ ...entry, atMs: AT + 3_600_000 }])).toBe(once);
  });

  it("[R120] gives back the items of a list, each in one line", () => {
    const anyItem = fc.string({ unit: "binary" }).map((text) => text.replace(/\s+/g, " ").trim());
    const anyItems = fc.array(anyItem.filter((item) => item !== "" && !/^\[[ x]\]/.test(item)));
    fc.assert(
      fc.property(anyItems, fc.constantFrom("- ", "- [x] "), (items, mark) => {
        const entry = createEntry({ atMs: AT, kind: "A", title: "", fields: { Left: renderBullets(items, mark) } });
        expect(parseBullets(entry.fields.Left)).toEqual(items);
      }),
    );
  });

  it("reads files with carriage returns, and days without a time", () => {
    const { entries } = parseLog("# D\r\n\r\n## [2026-01-02] Decision: Use files\r\n\r\n**Context:** small\r\n");
    expect(entries).toMatchObject([
      { atMs: Date.UTC(2026, 0, 2), kind: "Decision", title: "Use files", fields: { Context: "small" } },
    ]);
  });
});
