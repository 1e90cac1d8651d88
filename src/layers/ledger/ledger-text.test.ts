/** If red: a ledger cannot be read back, and the next compaction loses or repeats its lines. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cleanLabel,
  hasPlainOutcome,
  type LedgerEntry,
  parseEntries,
  renderCall,
  renderEntry,
  renderSameFailure,
  setInHeadings,
  splitSegments,
} from "./ledger-text.ts";

function renderEntries(entries: readonly LedgerEntry[]): string {
  return entries.map(renderEntry).join("\n");
}

const handle = fc.stringMatching(/^[0-9a-f]{12}$/).map((digits) => `plimsoll:${digits}`);
const number = fc.integer({ min: 1, max: 99_999 });
/** Words that may look like any line of the ledger. */
const ours = fc.constantFrom(
  "[LEDGER: 3 earlier exchanges in brief]",
  "12 Read a.ts → (3 lines)",
  "3 note: remember",
  "7 assistant: done",
  "person: no",
  "(#1-#3; #5 Read a.ts)",
  "(#9-#1 x; #0)",
  "  set in",
  "007 Read a → b",
  "",
);
const anyLine = fc.oneof(ours, fc.string({ maxLength: 30 })).map((text) => text.replaceAll("\n", " "));
const anyText = fc.array(anyLine, { maxLength: 6 }).map((lines) => lines.join("\n"));

const entry: fc.Arbitrary<LedgerEntry> = fc.oneof(
  fc.record({
    kind: fc.constant("heading" as const),
    exchanges: number,
    handle: fc.option(handle, { nil: undefined }),
  }),
  fc.record({
    kind: fc.constant("said" as const),
    by: fc.constantFrom("person" as const, "note" as const, "assistant" as const),
    text: anyText,
    number: fc.constant(undefined),
  }),
  fc.record({
    kind: fc.constant("said" as const),
    by: fc.constantFrom("person" as const, "note" as const, "assistant" as const),
    text: anyText,
    number,
  }),
  fc.record({ kind: fc.constant("call" as const), text: anyLine.map((line) => `Bash ${line}`), number }),
  fc.record({
    kind: fc.constant("leftOut" as const),
    lines: fc.array(
      fc
        .tuple(number, fc.nat({ max: 9 }), anyLine)
        .map(([first, more, text]) => ({ first, last: first + more, label: cleanLabel(text) })),
      { minLength: 1, maxLength: 4 },
    ),
  }),
);

describe("the ledger's wording", () => {
  test("what is written is read back, whatever was said", () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 8 }), (entries) => {
        expect(parseEntries(renderEntries(entries))).toEqual(entries);
      }),
    );
  });

  test("any text at all that is read is written as it was: what is not understood stays", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(renderEntries(parseEntries(text))).toBe(text);
      }),
    );
  });

  test("segments behind a record are found again, each as it was, and none in what stands before them", () => {
    const segment = fc.tuple(number, fc.array(entry, { maxLength: 4 })).map(([exchanges, entries]) =>
      renderEntries([
        { kind: "heading", exchanges, handle: undefined },
        // A heading begins the next segment.
        ...entries.filter(({ kind }) => kind !== "heading"),
      ]),
    );
    fc.assert(
      fc.property(anyText, fc.array(segment, { maxLength: 4 }), (before, segments) => {
        expect(splitSegments([setInHeadings(before), ...segments].join("\n"))).toEqual(segments);
      }),
    );
  });

  test("a failure is known by its line, and so is a call that only looked", () => {
    fc.assert(
      fc.property(anyLine, anyLine, (call, text) => {
        expect(hasPlainOutcome(renderCall(`Make ${call}`, { failed: true, text }))).toBe(false);
      }),
    );
    expect(hasPlainOutcome(renderCall("Read a.ts", { failed: false, text: "two" }))).toBe(true);
    expect(hasPlainOutcome(renderCall("Edit a.ts", { failed: false, text: "" }))).toBe(false);
    expect(hasPlainOutcome(renderCall("Read a.ts", "none"))).toBe(true);
    expect(hasPlainOutcome(renderCall("git commit", { failed: false, text: "[main 1a2b3c4]", isLasting: true }))).toBe(
      false,
    );
    expect(hasPlainOutcome(renderCall("Bash ls x", { failed: true, text: "no such file" }))).toBe(true);
  });

  test("a failure that stands above already is told by its number", () => {
    const line = renderCall("Bash make", { failed: true, text: "no rule" });
    expect(renderSameFailure(line, "no rule", 3)).toBe("Bash make → failed: as #3");
  });

  test("reads so", () => {
    const entries: readonly LedgerEntry[] = [
      { kind: "heading", exchanges: 7, handle: "plimsoll:0123456789ab" },
      { kind: "said", by: "person", text: "fix it\nand test", number: undefined },
      { kind: "call", number: 1, text: renderCall("Read a.ts", { failed: true, text: "no such file" }) },
      { kind: "said", by: "assistant", text: "Two things: …", number: 2 },
      {
        kind: "leftOut",
        lines: [
          { first: 3, last: 5, label: "Read a.ts, 2x b.ts" },
          { first: 9, last: 9, label: "" },
        ],
      },
    ];
    expect(entries.map(renderEntry).join("\n")).toMatchInlineSnapshot(`
      "[LEDGER: 7 earlier exchanges in brief; recall plimsoll:0123456789ab#N gives line N whole]
      person: fix it
        and test
      1 Read a.ts → failed: no such file
      2 assistant: Two things: …
      (#3-#5 Read a.ts, 2x b.ts; #9)"
    `);
  });
});
