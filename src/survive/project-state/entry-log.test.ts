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

  it("[R118] is written as a heading with its labelled fields, lists below their label and other lines set in", () => {
    const fields = {
      Context: "small\r\n**Label:** none\n\n- kept",
      Left: renderBullets(["rig\n it", "", "paint"]),
      Impact: " ",
      Last: "one\n## [2026-01-01] no entry",
    };
    const first: NewEntry = { atMs: AT, kind: "Decision", title: "Use\nfiles", fields };
    const second: NewEntry = { atMs: AT + 60_000, kind: "Remark", title: "", fields: {} };
    const entries = `## [2026-01-02 10:20] Decision: Use files

**Context:** small
  **Label:** none

- kept
**Left:**
- rig it
- paint
**Impact:**
**Last:** one
  ## [2026-01-01] no entry

## [2026-01-02 10:21] Remark

`;
    expect(appendEntries("", "Log", [first, second, { ...first, atMs: AT + 1e9 }])).toBe(`# Log\n\n${entries}`);
    expect(appendEntries(" ", "Log", [first])).toMatch(/^ # Log\n\n## \[/);
    for (const own of ["# Mine\n\nx", "# Mine\n\nx\n", "# Mine\n\nx\n\n"])
      expect(appendEntries(own, "Log", [first, second])).toBe(`# Mine\n\nx\n\n${entries}`);
    expect(appendEntries("# Mine", "Log", [])).toBe("# Mine");
  });

  it("[R118] reads the items of a list wherever they stand, and nothing else", () => {
    expect(parseBullets("  - [ ] rig \n- [x] paint\n-no item\ntext\n- sail")).toEqual(["rig", "paint", "sail"]);
    expect(parseBullets()).toEqual([]);
  });

  it("[R120] takes a second value of a label for the one that counts, and a heading without a date for none", () => {
    const { preamble, entries } = parseLog("mine\n## [soon] Decision : Use files \n**A:** 1\n**A:** 2\n  3\n");
    expect(preamble).toBe("mine\n");
    expect(entries).toMatchObject([{ atMs: undefined, kind: "Decision", title: "Use files", fields: { A: "2\n3" } }]);
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
