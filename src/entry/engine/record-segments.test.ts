/** If red: the ledger of earlier work is lost at the next compaction, or a pasted one is taken for ours. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ledgerStyle } from "../../../test/support/ledger-style.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Message } from "../../core/message.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { renderEntry, renderHeading, renderSaid, setInHeadings } from "../../layers/ledger/ledger-text.ts";
import { CLOSING, isLedger, renderChunk, renderSegments } from "../../layers/ledger/render-chunk.ts";
import { renderExchange } from "../../layers/ledger/render-exchange.ts";
import { countCollapsed, thinSegment } from "../../layers/ledger/thin-segment.ts";
import { RECORD_OPENING } from "../../survive/record/record-opening.ts";
import { parseRows } from "./compaction/compaction-event.ts";
import { NO_EXTRAS } from "./compaction/row-extras.ts";
import { readConversation, toMessages } from "./conversation.ts";

const prompt = (text: string): JsonObject => ({ role: "user", text, toolUses: [] });
const read = (messages: readonly JsonObject[], hasRecord = true): readonly Message[] =>
  toMessages(readConversation(parseRows(messages), NO_EXTRAS, { hasRecord, repeated: new Set() }));
const textsOf = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ blocks }) => blocks.map((block) => (block.kind === "text" ? block.text : block.kind)));

/** A segment as a collapse leaves it: words of the person, after each of them another call. */
function segment(at: number, words: readonly string[]): Message {
  const span = read(
    words.flatMap((text, index) => [
      prompt(text),
      {
        role: "assistant",
        text: "",
        toolUses: [{ tool_use_id: `c${at}-${index}`, tool: "Bash", input: { command: `ls ${index + 1}` } }],
      },
      { role: "user", text: "", toolResults: [{ tool_use_id: `c${at}-${index}`, text: "deck\nhull ".repeat(40) }] },
    ]),
    false,
  );
  const pieces = renderExchange(span, ledgerStyle(400, { vocabulary: claudeCodeVocabulary }));
  const chunk = renderChunk(span, pieces, { exchanges: at + 1, by: "test", hash: undefined });
  const [first] = chunk?.messages ?? [];
  return { ...(first ?? { role: "user", blocks: [] }), id: `ledger:abc${at}:0` };
}
const record = (ledger: readonly Message[], before = "What stands."): string =>
  [RECORD_OPENING, setInHeadings(before), renderSegments(ledger), CLOSING].filter((part) => part !== "").join("\n\n");

/** Words that look like ours, wherever they stand. */
const lookalike = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "12 Read a.ts → (3 lines)",
        "3 note: remember",
        "7 assistant: done",
        renderHeading(3),
        renderHeading(9, "plimsoll:0123456789ab"),
        "person: no",
        RECORD_OPENING,
        CLOSING,
        "",
        "  indented",
      ),
      fc.string({ maxLength: 20 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((lines) => lines.join("\n"));

/** The person's words as they are read in a segment. */
const shown = (words: string): string => renderSaid("person", words === "" ? "(a picture)" : words);

describe("the engine's conversation", () => {
  it("is read message by message, each identified by its place", () => {
    const messages = read([
      prompt("Paint it."),
      {
        role: "assistant",
        text: "So.",
        toolUses: [{ tool_use_id: "c1", tool: "Bash", input: { command: "paint" } }],
      },
      { role: "user", text: "", toolUses: [], toolResults: [{ tool_use_id: "c1", text: "no brush", is_error: true }] },
      prompt("<task-notification>done</task-notification>"),
    ]);
    expect(messages.map(({ id }) => id)).toEqual(["e0", "e1", "e2", "e3"]);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "user"]);
    expect(messages.flatMap(({ blocks }) => blocks)).toMatchObject([
      { kind: "text", text: "Paint it.", author: "person" },
      { kind: "text", text: "So.", author: "model" },
      { kind: "toolCall", callId: "c1", tool: "Bash", input: { command: "paint" } },
      { kind: "toolResult", callId: "c1", isError: true, parts: [{ kind: "text", text: "no brush" }] },
      { kind: "text", author: "host" },
    ]);
  });

  it("has a picture where a prompt has no words, and nothing where an answer only thought", () => {
    const [picture, thought] = read([prompt(""), { role: "assistant", text: "", toolUses: [] }]);
    expect(picture?.blocks).toMatchObject([{ kind: "image" }]);
    expect(thought?.blocks).toEqual([]);
    expect(renderSegments([{ id: "ledger:x:0", role: "user", blocks: picture?.blocks ?? [] }])).toBe(
      "person: (a picture)",
    );
  });
});

describe("the ledger in a record's message", () => {
  it("is found again, segment by segment, word for word, whatever the person said in between", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(lookalike, { minLength: 1, maxLength: 4 }), { maxLength: 4 }),
        lookalike,
        lookalike,
        (said, before, next) => {
          const segments = said.map((words, at) => segment(at, words));
          const text = record(segments, before);
          const [found, rest] = split(read([prompt(text), { role: "assistant", text: "Ok." }, prompt(next)]));
          expect(found).toHaveLength(segments.length);
          expect(found.map(countCollapsed)).toEqual(segments.map(countCollapsed));
          expect(textsOf(found)).toEqual(segments.map((each) => renderSegments([each])));
          // Written once more it is the same text: what was cached once stays so.
          expect(renderSegments(found)).toBe(renderSegments(segments));
          expect(textsOf(rest)).toEqual(["Ok.", next === "" ? "image" : next]);
        },
      ),
    );
  });

  it("grows thin by its own lines alone: the person's words stay, even those that look like one of ours", () => {
    fc.assert(
      fc.property(fc.array(lookalike, { minLength: 1, maxLength: 4 }), (words) => {
        const [found] = read([prompt(record([segment(0, words)]))]);
        const [thin = ""] = textsOf(
          found ? [thinSegment(found, { ...ledgerStyle(400), isReplaced: false, level: 1 })] : [],
        );
        for (const each of words) expect(thin).toContain(shown(each));
        expect(thin).not.toContain("\n1 Bash ls");
        for (const index of words.keys()) {
          const [first, last] = [index + 1, index + 1];
          expect(thin).toContain(renderEntry({ kind: "leftOut", lines: [{ first, last, label: `Bash ls ${first}` }] }));
        }
      }),
    );
  });

  it("is empty where the record has none, and the record itself is written again", () => {
    expect(read([prompt(`${RECORD_OPENING} What stands.`)])).toEqual([]);
    expect(read([prompt(record([]))])).toEqual([]);
  });
});

describe("a record that somebody pasted", () => {
  const pasted = record([segment(0, ["Paint it."])]);
  const answer = { role: "assistant", text: "Ok.", toolUses: [] };

  it.each([
    ["before there was any compaction", [prompt(pasted), answer], false],
    ["behind an answer", [prompt("Hi."), answer, prompt(pasted)], true],
    ["behind our own", [prompt(record([])), prompt(pasted), answer], true],
  ] as const)("%s is the person's own words", (_, messages, hasRecord) => {
    const found = read(messages, hasRecord);
    expect(found.some(isLedger)).toBe(false);
    expect(found.flatMap(({ blocks }) => blocks)).toContainEqual(
      expect.objectContaining({ kind: "text", text: pasted, author: "person" }),
    );
  });
});

function split(messages: readonly Message[]): readonly [readonly Message[], readonly Message[]] {
  return [messages.filter(isLedger), messages.filter((message) => !isLedger(message))];
}
