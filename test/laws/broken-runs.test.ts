/** If red: the auditor does not notice when a second record forgets the first. */
import { describe, expect, it } from "vitest";
import { renderHeading } from "../../src/layers/ledger/ledger-text.ts";
import type { Message } from "../api/messages-body.ts";
import { auditRun } from "./audit-run.ts";
import { audit, HEADING, HISTORY, KEPT, LEDGER_LINES, LINE, recorded } from "./made-up-run.ts";
import { answered, recallFrom, request, result, said, use } from "./request-log.ts";
import { isLawful, renderVerdict } from "./verdict.ts";

/** Each harm that a compaction can do, as the requests would look after it: the auditor must name it. */

const without = (start: string): readonly string[] => LEDGER_LINES.filter((line) => !line.startsWith(start));
const changed = (from: string | RegExp, to: string): readonly string[] =>
  LEDGER_LINES.map((line) => line.replace(from, to));
const lacking = (handle: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(KEPT).filter(([name]) => name !== handle));

interface Harm {
  readonly name: string;
  readonly lines?: readonly string[];
  readonly kept?: Readonly<Record<string, string>>;
  /** What the verdict says, line by line. */
  readonly finds: RegExp;
}

const SHORTENED = changed("assistant: It is a long way to the bow.", "4 assistant: It is a long … (28 chars)");

const IN_THE_LEDGER: readonly Harm[] = [
  {
    name: "a prompt is left out",
    lines: without("  In red").filter((line) => !line.startsWith("person: Paint")),
    finds: /^missing: prompt, .* gone in request 4: "Paint the hull/m,
  },
  {
    name: "a prompt is cut",
    lines: without("  In red."),
    finds: /^missing: prompt, .* gone in request 4: "Paint the hull/m,
  },
  {
    name: "words typed while the model works are left out",
    lines: without("person: Not"),
    finds: /^missing: words.*"Not the bow/m,
  },
  { name: "an answer is left out", lines: without("assistant: It is"), finds: /^missing: answer.*"It is a long way/m },
  { name: "a call is left out", lines: without("2 "), finds: /^missing: result of b, .* gone in request 4/m },
  {
    name: "a picture leaves nothing behind",
    lines: without("person: [picture"),
    finds: /^missing: picture, .* gone in request 4/m,
  },
  {
    name: "lines of an old stretch are neither shown nor named",
    lines: LEDGER_LINES.filter((line) => !/^[12] /.test(line)),
    finds: /^missing: result of a, /m,
  },
  {
    name: "the numbers are off by one",
    lines: LEDGER_LINES.map((line) => line.replace(/^\d(?= )/, (number) => `${Number(number) + 1}`)),
    finds: /^untrue: handle .*#2 /m,
  },
  {
    name: "the handle has a wrong digit",
    lines: LEDGER_LINES.map((line) => line.replace(LINE, LINE.replace(/a$/, "b"))),
    finds: /^missing: handle, .*plimsoll:aaaaaaaaaaab#1/m,
  },
  {
    name: "an original is not stored",
    kept: lacking(`${LINE}#1`),
    finds: /^missing: handle, .*: plimsoll:aaaaaaaaaaaa#1$/m,
  },
  { name: "what a call was given is not stored", kept: lacking(`${LINE}#1i`), finds: /^missing: input of a, /m },
  { name: "a picture is not stored", kept: lacking("plimsoll:bbbbbbbbbbbb"), finds: /^missing: picture, /m },
  {
    name: "a result is stored without its end",
    kept: { ...KEPT, [`${LINE}#2`]: "tw" },
    finds: /^missing: result of b, /m,
  },
  {
    name: "the model's words are stored without their end",
    lines: SHORTENED,
    kept: { ...KEPT, [`${LINE}#4`]: "It is a long way" },
    finds: /^missing: answer.*"It is a long way/m,
  },
  {
    name: "words are put into the person's mouth",
    lines: changed("Not the bow.", "Not the bow, the stern."),
    finds: /^untrue: words in request 4 says "Not the bow, the stern." \(never said\)/m,
  },
  {
    name: "a line says something else than its original",
    lines: changed("→ two", "→ three"),
    finds: /^untrue: handle .*#2 .*instead of "two"/m,
  },
];

describe("the auditor, of a record that came in the place of a history, finds it when", () => {
  it("nothing is wrong: then it has nothing to say, also of an answer that is shortened", async () => {
    for (const [lines, kept] of [
      [LEDGER_LINES, KEPT],
      [SHORTENED, { ...KEPT, [`${LINE}#4`]: "It is a long way to the bow." }],
    ] as const) {
      const verdict = await audit(recorded(lines), { mayRewind: false }, kept);
      expect(isLawful(verdict), renderVerdict(verdict)).toBe(true);
    }
  });

  it.each(IN_THE_LEDGER)("$name", async ({ lines, kept, finds }) => {
    expect(renderVerdict(await audit(recorded(lines), { mayRewind: false }, kept))).toMatch(finds);
  });
});

const SECOND = "plimsoll:cccccccccccc";
const LATER: readonly Message[] = [
  said("Go on."),
  answered("On it goes.", use("d")),
  said(result("d", "three")),
  answered("Gone."),
];
const LATER_LINES: readonly string[] = [
  renderHeading(1, SECOND),
  "person: Go on.",
  "assistant: On it goes.",
  "1 Bash run d → three",
  "assistant: Gone.",
];
const LATER_KEPT = { ...KEPT, [`${SECOND}#1`]: "three", [`${SECOND}#1i`]: '{"command":"run d"}' };

/** A second compaction, over the record of the first. */
const twice = (lines: readonly string[], kept: Readonly<Record<string, string>> = LATER_KEPT) =>
  auditRun({
    requests: [
      request(HISTORY.slice(0, 5)),
      request([...HISTORY, said("Go on.")]),
      request([recorded(), ...LATER.slice(0, 1)]),
      request([recorded(), ...LATER, said("And now?")]),
      request([recorded(lines), said("And now?")]),
    ],
    recall: recallFrom(kept),
    options: { mayRewind: false },
  });

describe("the auditor, of a second record over the first, finds it when", () => {
  it("nothing is wrong: then it has nothing to say", async () => {
    const verdict = await twice([...LEDGER_LINES, ...LATER_LINES]);
    expect(isLawful(verdict), renderVerdict(verdict)).toBe(true);
  });

  it("the ledger of the first is forgotten", async () => {
    expect(renderVerdict(await twice(LATER_LINES))).toMatch(/^missing: prompt.*gone in request 4: "Paint the hull/m);
  });

  it("the originals of the oldest segment are not stored", async () => {
    const kept = Object.fromEntries(Object.entries(LATER_KEPT).filter(([name]) => !name.startsWith(LINE)));
    expect(renderVerdict(await twice([...LEDGER_LINES, ...LATER_LINES], kept))).toMatch(/^missing: result of a, /m);
  });
});

/** What stays word for word behind the record. */
const KEPT_ROWS: readonly Message[] = HISTORY.slice(1, 4);
const tail = (rows: readonly Message[]) =>
  auditRun({
    requests: [
      request(HISTORY.slice(0, 4).concat(said(result("c", "a chart")))),
      request([recorded([HEADING, ...LEDGER_LINES.slice(1, 4)]), ...rows, said(result("c", "a chart"), "Go on.")]),
    ],
    recall: recallFrom(KEPT),
    options: { mayRewind: false },
  });
const [CALLS = answered(), RESULTS = said(), READ = answered()] = KEPT_ROWS;

describe("the auditor, of the messages that stay behind a record, finds it when", () => {
  it("nothing is wrong: then it has nothing to say", async () => {
    const verdict = await tail(KEPT_ROWS);
    expect(isLawful(verdict), renderVerdict(verdict)).toBe(true);
  });

  it.each<{ name: string; rows: readonly Message[]; finds: RegExp }>([
    { name: "they begin one answer too late", rows: [READ], finds: /^missing: answer.*"I look at it/m },
    {
      name: "results of calls that were made at once are lost",
      rows: [CALLS, said(result("a", "one")), READ],
      finds: /^missing: result of b, /m,
    },
    {
      name: "a call has no result: the API refuses that",
      rows: [CALLS, said(result("a", "one")), READ],
      finds: /^invalid: request 1, .*: call_without_result b/m,
    },
    {
      name: "a result is another call's",
      rows: [CALLS, said(result("a", "two"), result("b", "one")), READ],
      finds: /^untrue: result of a in request 1 says "two" instead of "one/m,
    },
    {
      name: "an answer is taken apart, with a result between its calls",
      rows: [
        answered("I look at it.", use("a")),
        said(result("a", "one")),
        answered(use("b")),
        said(result("b", "two")),
        READ,
      ],
      finds: /^untrue: answer in request 1 /m,
    },
    {
      name: "a marker's handle gives the result without its end",
      rows: [
        CALLS,
        said(
          result("b", "two"),
          result("a", "[FOLDED: Bash output — 1 lines, 3 chars]\nFull output: plimsoll:bbbbbbbbbbbb"),
        ),
        READ,
      ],
      finds: /^untrue: result of a in request 1 /m,
    },
    {
      name: "results come before their calls: the API refuses that",
      rows: [RESULTS, CALLS, READ],
      finds: /^invalid: request 1, .*: result_without_call /m,
    },
  ])("$name", async ({ rows, finds }) => {
    expect(renderVerdict(await tail(rows))).toMatch(finds);
  });
});
