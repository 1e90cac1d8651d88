/** If red: a ledger cannot be read back, and the next compaction loses or repeats its lines. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cleanLabel,
  clipCall,
  clipLineEnds,
  clipReport,
  dropPreview,
  hasPlainOutcome,
  isReport,
  type LedgerEntry,
  outcomeOf,
  parseEntries,
  renderCall,
  renderEntry,
  renderLineCount,
  renderSameFailure,
  renderShortened,
  renderShortenedBefore,
  renderWhole,
  setInHeadings,
  splitCall,
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

const HANDLE = "plimsoll:0123456789ab";

test.each<[string, string, string]>([
  ["a call and what came of it", renderCall("Read a.ts", { failed: false, text: "two" }), "Read a.ts → two"],
  ["a failure", renderCall("Bash make", { failed: true, text: "no rule" }), "Bash make → failed: no rule"],
  ["no result", renderCall("Bash make", "none"), "Bash make → no result"],
  ["nothing to show", renderCall("Edit a.ts", { failed: false, text: "", isLasting: true }), "Edit a.ts"],
  ["no call", renderCall(undefined, { failed: false, text: "two" }), "a result whose call is missing → two"],
  ["an outcome that stays", renderCall("git tag", { failed: false, text: "v1", isLasting: true }), "git tag => v1"],
  [
    "a report",
    renderCall("Task", { failed: false, text: "dry", isLasting: true, isReport: true }),
    "Task => report: dry",
  ],
  ["a call with our signs", renderCall("Bash a → b => c", { failed: false, text: "x" }), "Bash a -> b =>c → x"],
  ["what is said of a call", splitCall("Read a.ts → two → three"), "Read a.ts"],
  ["a call without an outcome", splitCall("Read a.ts"), "Read a.ts"],
  ["what came of a call", outcomeOf("Read a.ts → two => three"), "two => three"],
  ["what stays of a call", outcomeOf("git tag => v1 → two"), "v1 → two"],
  ["what came of nothing", outcomeOf("git tag"), ""],
  ["an outcome without a call", outcomeOf(" → two → three"), "two → three"],
  ["a whole result", renderWhole("two"), "two"],
  ["several lines", renderWhole("a\nb"), '"a\\nb"'],
  ["an empty result", renderWhole(""), "nothing"],
  ["what only looks like a failure", renderWhole("failed: x"), '"failed: x"'],
  ["a number of lines", renderLineCount(3), "(3 lines)"],
  ["a number of characters", renderShortened("be…", 9), "be… (9 chars)"],
  ["what another layer shortened", renderShortenedBefore(HANDLE), `shortened before, ${HANDLE}`],
  ["with its best lines", renderShortenedBefore(HANDLE, "3 failed"), `3 failed (shortened before, ${HANDLE})`],
  [
    "without its best lines",
    dropPreview(`Bash make → 3 failed (shortened before, ${HANDLE})`),
    `Bash make → shortened before, ${HANDLE}`,
  ],
  ["without best lines of its own", dropPreview(`Read a.ts → ${HANDLE}`), `Read a.ts → ${HANDLE}`],
  ["a label without the ledger's signs", cleanLabel(" (a)  b;#c "), "a b c"],
  ["a text that begins with a heading", setInHeadings("[LEDGER: x\n[LEDGER: y"), " [LEDGER: x\n [LEDGER: y"],
  ["a text without a heading", setInHeadings("a\n [LEDGER: y"), "a\n [LEDGER: y"],
])("words %s", (_, worded, words) => {
  expect(worded).toBe(words);
});

test.each<[string, readonly LedgerEntry[]]>([
  ["(#3 a; not ours)", [{ kind: "other", text: "(#3 a; not ours)" }]],
  ["(3 lines)", [{ kind: "other", text: "(3 lines)" }]],
  ["note: ", [{ kind: "said", by: "note", text: "", number: undefined }]],
  ["  set in", [{ kind: "other", text: "  set in" }]],
])("reads %j", (line, entries) => {
  expect(parseEntries(line)).toEqual(entries);
});

describe("a long line", () => {
  const call = "Bash make hull";
  const line = `${call} → ${"x".repeat(40)}`;

  test.each<[number, string]>([
    [line.length, line],
    [line.length - 1, `${call} → ${"x".repeat(38)}…`],
    // Two fifths for the call, rounded down, and the rest for the outcome.
    [31, `Bash make h… → ${"x".repeat(15)}…`],
  ])("of a call keeps of %i characters the beginning of the call and more of the outcome", (most, clipped) => {
    expect(clipCall(line, most)).toBe(clipped);
  });

  test("gives a short outcome's room to the call", () => {
    expect(clipCall(`Bash ${"x".repeat(60)} => ok`, 40)).toBe(`Bash ${"x".repeat(28)}… => ok`);
  });

  test("of a report keeps the call's name and as much of the findings as there is room for", () => {
    const report = `Task ${"caulk ".repeat(20)}=> report: ${"dry ".repeat(20)}`.trim();
    expect(isReport(report)).toBe(true);
    expect(isReport("Task x => dry")).toBe(false);
    const clipped = clipReport(report, 30);
    expect(clipped).toBe(`Task ${"caulk ".repeat(13).slice(0, 74)}… => report: ${"dry ".repeat(8).slice(0, 29)}…`);
    expect(clipReport("Task x => report: dry", 3)).toBe("Task x => report: dry");
  });

  test("stays one line where both of its ends are shown, and is none longer than there is room for", () => {
    const words = `${"One plank. ".repeat(40)}Never paint the keel. ${"Two planks. ".repeat(40)}`;
    expect(clipLineEnds(words, words.length)).toBe(words);
    const ends = clipLineEnds(words, 400);
    expect(ends).not.toContain("\n");
    expect(ends).toMatch(/^One plank\. .*characters left out\) Never paint the keel\. .*Two planks\. $/);
  });
});
