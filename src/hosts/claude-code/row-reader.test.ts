/** If red: the live conversation is misread, and the same words are counted twice or a result is lost. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/depth.ts";
import type { SessionEvent } from "../../core/event.ts";
import type { JsonObject } from "../../core/json.ts";
import {
  createRowReader,
  nameCall,
  nameResult,
  nameText,
  parseRow,
  type Row,
  type RowMessage,
  UNDRAWN,
} from "./row-reader.ts";

let count = 0;
/** A row as the engine hands it over, under an id of its own. */
function row(
  door: string,
  content: readonly JsonObject[],
  more: Omit<Partial<Row>, "message"> & { readonly message?: Partial<RowMessage> } = {},
): Row {
  const { message, ...rest } = more;
  const type = door === "response" ? "assistant" : door === "attachment" ? "attachment" : "user";
  return { door, uuid: `row-${++count}`, origin: {}, ...rest, message: { type, content, ...message } };
}

const text = (words: string): JsonObject => ({ type: "text", text: words });
const call = (id: string, name = "Bash", input: JsonObject = {}): JsonObject => ({ type: "tool_use", id, name, input });
const result = (id: string, content: string): JsonObject => ({ type: "tool_result", tool_use_id: id, content });
const boundary = (): Row => row("notice-of-compaction", [], { message: { type: "system", name: "compact_boundary" } });

function only(events: readonly SessionEvent[]): SessionEvent | undefined {
  expect(events).toHaveLength(1);
  return events[0];
}

describe("the reader of rows", () => {
  it("takes rows of the model in one run for one answer, and the next run for another", () => {
    const reader = createRowReader();
    const answers = [
      row("response", [text("I look.")], { origin: { kind: "model", model: "claude-opus-5" } }),
      row("response", [call("c1")]),
      row("attachment", [text("a reminder")]),
      row("response", [call("c2")]),
      row("tool-result", [result("c1", "one")]),
      row("tool-result", [result("c2", "two")]),
      row("response", [text("Done.")]),
    ].flatMap((each) => reader.read(each, 7));
    const steps = answers.flatMap((event) => (event.kind === "output" ? [event.stepId] : []));

    expect(new Set(steps.slice(0, 3)).size).toBe(1);
    expect(steps[3]).not.toBe(steps[0]);
    expect(reader.step()).toBe(steps[3]);
    expect(answers[0]).toMatchObject({
      kind: "output",
      atMs: 7,
      model: "claude-opus-5",
      blocks: [{ text: "I look." }],
    });
  });

  it("takes rows for one answer while one of its calls waits, and until the engine says that all have returned", () => {
    const reader = createRowReader();
    const read = (...rows: readonly Row[]): string => {
      for (const each of rows) reader.read(each, 1);
      return reader.step();
    };
    const first = read(
      row("response", [call("c1")]),
      row("response", [call("c2")]),
      row("tool-result", [result("c2", "")]),
    );
    expect(read(row("response", [call("c3")]), row("tool-result", [result("c1", "")]))).toBe(first);
    reader.answered();
    const second = read(row("response", [call("d1")]), row("tool-result", [result("d1", "")]));
    expect(second).not.toBe(first);
    // From the first time on it is known that the engine will say so.
    expect(read(row("response", [call("d2")]), row("tool-result", [result("d2", "")]))).toBe(second);
    reader.answered();
    expect(read(row("response", [text("Done.")]))).not.toBe(second);
  });

  it("begins an answer anew after words of the person", () => {
    const reader = createRowReader();
    reader.read(row("response", [text("Yes?")]), 1);
    const before = reader.step();
    reader.read(row("prompt", [text("Go on.")]), 2);
    reader.read(row("response", [text("Gladly.")]), 3);
    expect(reader.step()).not.toBe(before);
  });

  it("has no step before the first answer", () => {
    const reader = createRowReader();
    reader.read(row("prompt", [text("Go on.")]), 2);
    expect(reader.step()).toBe("");
  });

  it("gives each result its own structured record, once, under the tool's name", () => {
    const reader = createRowReader();
    reader.note("c1", { stdout: "one" });
    reader.note("c2", { stdout: "two" });
    const both = row("tool-result", [result("c2", "two"), result("c1", "one")], {
      origin: { kind: "tool", tool: "Bash" },
    });

    expect(reader.read(both, 1)).toMatchObject([
      { source: "toolResult", label: "Bash", block: { callId: "c2" }, detail: { stdout: "two" } },
      { source: "toolResult", label: "Bash", block: { callId: "c1" }, detail: { stdout: "one" } },
    ]);
    expect(reader.read(both, 2)).toMatchObject([{ detail: undefined }, { detail: undefined }]);
  });

  it("keeps records that never get their row within bounds, the newest of them", () => {
    const reader = createRowReader();
    for (let index = 0; index <= 200; index++) reader.note(`c${index}`, { index });
    const detailOf = (id: string) => only(reader.read(row("tool-result", [result(id, "x")]), 1));
    expect(detailOf("c0")).toMatchObject({ detail: undefined });
    expect(detailOf("c1")).toMatchObject({ detail: { index: 1 } });
    expect(detailOf("c200")).toMatchObject({ detail: { index: 200 } });
  });

  it("does not tell twice what the engine tells again after a compaction, under new ids", () => {
    const reader = createRowReader();
    const words = [text("Paint it red.")];
    const kept = [
      row("prompt", words),
      row("response", [{ type: "thinking", thinking: "hm" }]),
      row("response", [text("I stir."), call("c1")]),
      row("tool-result", [result("c1", "stirred")]),
    ];
    for (const each of kept) reader.read(each, 1);

    reader.expect([nameText("Paint it red."), nameText("I stir."), nameCall("c1"), nameResult("c1")]);
    expect(only(reader.read(boundary(), 4))).toMatchObject({ kind: "compaction", atMs: 4 });
    expect(only(reader.read(row("note", [text("the record")]), 5))).toMatchObject({ source: "summary" });
    for (const { door, message } of kept) expect(reader.read(row(door, message.content), 5)).toEqual([]);
    expect(reader.read(row("prompt", [text("And blue.")]), 6)).toHaveLength(1);
  });

  it("knows a row again that was marked to be drawn nowhere, and those behind it", () => {
    const reader = createRowReader();
    reader.expect([nameText("<command-name>/cost</command-name>"), nameText("Go on.")]);
    reader.read(boundary(), 1);
    expect(reader.read(row("prompt", [text(`${UNDRAWN}<command-name>/cost</command-name>`)]), 2)).toEqual([]);
    expect(reader.read(row("prompt", [text("Go on.")]), 3)).toEqual([]);
  });

  it("takes a note for a part of the record only right behind a boundary: a typed /compact is one, too", () => {
    const reader = createRowReader();
    const source = (): unknown => only(reader.read(row("note", [text("/compact")]), 1));
    expect(source()).toMatchObject({ source: "reminder" });
    reader.read(boundary(), 2);
    expect(source()).toMatchObject({ source: "summary" });
    expect(source()).toMatchObject({ source: "summary" });
    reader.read(row("response", [text("Painted.")]), 3);
    expect(source()).toMatchObject({ source: "reminder" });
  });

  it("knows a result again by its call, whatever is left of its text", () => {
    const reader = createRowReader();
    reader.expect([nameResult("c1")]);
    reader.read(boundary(), 1);
    expect(reader.read(row("tool-result", [result("c1", "[FOLDED: …]")]), 2)).toEqual([]);
  });

  it("hears the same words again once the rows that were kept have been told", () => {
    const reader = createRowReader();
    reader.expect([nameText("continue"), nameText("Gladly.")]);
    reader.read(boundary(), 1);
    expect(reader.read(row("prompt", [text("continue")]), 2)).toEqual([]);
    expect(reader.read(row("response", [text("Gladly.")]), 2)).toEqual([]);
    expect(reader.read(row("prompt", [text("continue")]), 3)).toHaveLength(1);
  });

  it("passes over kept rows that say the same as often as they were kept", () => {
    const reader = createRowReader();
    reader.expect([nameText("continue"), nameText("continue")]);
    reader.read(boundary(), 1);
    const reported = [1, 2, 3].map((atMs) => reader.read(row("prompt", [text("continue")]), atMs).length);
    expect(reported).toEqual([0, 0, 1]);
  });

  it("waits for no more of them after the first row that is none of them", () => {
    const reader = createRowReader();
    reader.expect([nameText("one"), nameText("two")]);
    reader.read(boundary(), 1);
    expect(reader.read(row("prompt", [text("one")]), 2)).toEqual([]);
    expect(reader.read(row("prompt", [text("new")]), 3)).toHaveLength(1);
    expect(reader.read(row("prompt", [text("two")]), 4)).toHaveLength(1);
  });

  it("goes on waiting across what stands next to them: attachments and notes", () => {
    const reader = createRowReader();
    reader.expect([nameText("one"), nameText("two")]);
    reader.read(boundary(), 1);
    reader.read(row("prompt", [text("one")]), 2);
    expect(reader.read(row("attachment", [text("a reminder")]), 3)).toHaveLength(1);
    expect(reader.read(row("note", [text("a note")], { message: { isMeta: true } }), 3)).toHaveLength(1);
    expect(reader.read(row("prompt", [text("two")]), 4)).toEqual([]);
  });

  it("forgets what one compaction kept when the next one names its own", () => {
    const reader = createRowReader();
    reader.expect([nameText("one")]);
    reader.expect([nameText("two")]);
    reader.read(boundary(), 1);
    expect(reader.read(row("prompt", [text("one")]), 2)).toHaveLength(1);
  });

  it("hears everything where nobody said what is kept", () => {
    const reader = createRowReader();
    reader.read(row("prompt", [text("continue")]), 1);
    expect(reader.read(row("prompt", [text("continue")]), 2)).toHaveLength(1);
    reader.read(boundary(), 3);
    expect(reader.read(row("prompt", [text("continue")]), 4)).toHaveLength(1);
  });

  it("ends a run of the model's rows at a compaction", () => {
    const reader = createRowReader();
    reader.read(row("response", [text("Before.")]), 1);
    const before = reader.step();
    reader.read(boundary(), 2);
    reader.read(row("response", [text("After.")]), 3);
    expect(reader.step()).not.toBe(before);
  });

  it("ignores what belongs to a subagent, to the queue, or is a notice", () => {
    const reader = createRowReader();
    expect(reader.read(row("response", [text("mine")], { agentId: "a1" }), 1)).toEqual([]);
    expect(reader.read(row("queue", [text("typed ahead")]), 1)).toEqual([]);
    expect(reader.read(row("notice", [text("a notice")]), 1)).toEqual([]);
    expect(reader.read(row("command", [text("x")], { message: { type: "system" } }), 1)).toEqual([]);
    expect(reader.step()).toBe("");
  });

  it.each([
    ["prompt", {}, "prompt", "person"],
    ["prompt", { isMeta: true }, "reminder", "host"],
    ["hook-context", {}, "reminder", "host"],
    ["tool-message", {}, "reminder", "host"],
    ["note", { isMeta: true }, "reminder", "host"],
    ["note", {}, "reminder", "host"],
    ["compaction", {}, "summary", "host"],
    ["compaction", { isMeta: true }, "summary", "host"],
    ["attachment", { type: "attachment", name: "date" }, "attachment", "host"],
    ["attachment", { type: "attachment", name: "queued_command" }, "attachment", "person"],
  ] as const)("takes a row of the entry point %s with %j for a %s by the %s", (door, message, source, author) => {
    const event = only(createRowReader().read(row(door, [text("Row 7 leaks.")], { message }), 1));
    expect(event).toMatchObject({ kind: "arrival", source, block: { kind: "text", author } });
  });

  it("does not take the client's own words in a prompt for the person's", () => {
    const event = only(createRowReader().read(row("prompt", [text("<command-name>/clear</command-name>")]), 1));
    expect(event).toMatchObject({ source: "prompt", block: { author: "host" } });
  });
});

describe("the parser of rows", () => {
  it("reads a row as the engine hands it over", () => {
    const message = { type: "user", name: "date", isMeta: true, role: "user", content: [text("x"), "no block", null] };
    expect(parseRow({ door: "prompt", uuid: "u1", agentId: "a1", origin: { kind: "person" }, message })).toEqual({
      door: "prompt",
      uuid: "u1",
      agentId: "a1",
      origin: { kind: "person" },
      message: { type: "user", name: "date", isMeta: true, content: [text("x")] },
    });
  });

  it("knows no agent and no name where there is none", () => {
    const parsed = parseRow({ door: "prompt", agentId: "", message: { type: "user", isMeta: false, content: [] } });
    expect(parsed).toEqual({ door: "prompt", uuid: "", origin: {}, message: { type: "user", content: [] } });
  });

  it.each([undefined, null, 7, "row", [], {}, { message: {} }, { message: { content: "words" } }])(
    "takes %j for no row",
    (value) => {
      expect(parseRow(value)).toBeUndefined();
    },
  );

  it("never throws, nor does reading what it lets through, whatever the engine hands over", () => {
    const block = fc.oneof(
      fc.record(
        {
          type: fc.constantFrom("text", "tool_use", "tool_result", "image", "new"),
          text: fc.jsonValue(),
          content: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
      fc.jsonValue(),
    );
    const message = fc.record(
      {
        type: fc.jsonValue(),
        name: fc.jsonValue(),
        isMeta: fc.jsonValue(),
        content: fc.oneof(fc.array(block), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    const hostile = fc.record(
      {
        door: fc.oneof(fc.constantFrom("prompt", "response", "tool-result", "compaction"), fc.jsonValue()),
        uuid: fc.jsonValue(),
        agentId: fc.jsonValue(),
        origin: fc.jsonValue(),
        message: fc.oneof(message, fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 8 }), (rows) => {
        const reader = createRowReader();
        for (const value of rows) {
          const parsed = parseRow(value);
          if (parsed)
            for (const event of reader.read(parsed, 1)) expect(event.kind).toMatch(/output|arrival|compaction/);
        }
      }),
      { numRuns: tries(40, 500) },
    );
    fc.assert(
      fc.property(
        fc.anything({ withDate: true, withMap: true, withBigInt: true, withNullPrototype: true }),
        (value) => {
          const parsed = parseRow(value);
          expect(parsed === undefined || Array.isArray(parsed.message.content)).toBe(true);
        },
      ),
      { numRuns: tries(40, 1000) },
    );
  });
});
