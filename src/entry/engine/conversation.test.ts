/** If red: a compaction after a resume or a rewind works on messages that are not in the conversation. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json.ts";
import { parseRows } from "./compaction/compaction-event.ts";
import { foldTail, renderTail } from "./compaction/plan-answer.ts";
import { addCheckpoint, findCheckpoint, hasRewound, readEvents } from "./compaction/rewound.ts";
import { NO_EXTRAS, type RowExtras } from "./compaction/row-extras.ts";
import { type EngineConversation, listRestated, readConversation, toMessages } from "./conversation.ts";
import { createWatch } from "./watch.ts";

const say = (handle: string, text: string, more: JsonObject = {}): JsonObject => ({
  role: "user",
  text,
  toolUses: [],
  handle,
  ...more,
});
const call = (handle: string, id: string): JsonObject => ({
  role: "assistant",
  text: "",
  toolUses: [{ tool_use_id: id, tool: "Bash", input: { command: id } }],
  handle,
});
const result = (handle: string, id: string, text: string): JsonObject =>
  say(handle, "", { toolResults: [{ tool_use_id: id, text }] });

function read(
  messages: readonly JsonObject[],
  extras: Partial<RowExtras> = {},
  repeated: readonly string[] = [],
): EngineConversation {
  const all = { ...NO_EXTRAS, ...extras };
  return readConversation(parseRows(messages), all, { hasRecord: true, repeated: new Set(repeated) });
}
const wordsOf = (conversation: EngineConversation): readonly string[] =>
  toMessages(conversation).flatMap(({ blocks }) =>
    blocks.map((block) => {
      if (block.kind === "text") return `${block.author}: ${block.text}`;
      return block.kind === "toolResult" && block.parts[0]?.kind === "text" ? block.parts[0].text : block.kind;
    }),
  );

describe("the conversation at a compaction", () => {
  it("has what stood next to a row right behind it, in the person's voice or the client's", () => {
    const conversation = read([say("h0", "go"), call("h1", "a"), result("h2", "a", "ok")], {
      asides: [
        { after: "h2", author: "person", text: "use tar" },
        { after: "h2", author: "host", text: "a skill" },
        { after: "elsewhere", author: "person", text: "of another window" },
      ],
    });
    expect(wordsOf(conversation)).toEqual(["toolCall", "ok", "person: use tar", "host: a skill"]);
    expect(renderTail(conversation.entries).messages.map(({ text }) => text)).toEqual(["", "", "use tar", "a skill"]);
  });

  it.each([
    ["leaves with a long text of the client's", 8_000, "host", 0],
    ["stays with a short one", 7_999, "host", 1],
    ["stays with whatever the person typed", 8_000, "person", 1],
  ] as const)("has an opening that %s", (_, length, author, kept) => {
    const asides: RowExtras["asides"] = [{ after: "h0", author, text: "x".repeat(length) }];
    const conversation = read([say("h0", "go"), call("h1", "a"), result("h2", "a", "ok")], { asides });
    expect(conversation.opening).toHaveLength(kept);
    expect(wordsOf(conversation).includes(`host: ${"x".repeat(length)}`)).toBe(kept === 0);
  });

  it.each([
    ["stays while it could have been typed", 23_999, 1],
    ["leaves if it is a paste of pages, of which the ledger keeps both ends", 24_000, 0],
  ] as const)("has a first prompt that %s", (_, length, kept) => {
    const conversation = read([say("h0", "x".repeat(length)), call("h1", "a"), result("h2", "a", "ok")], {});
    expect(conversation.opening).toHaveLength(kept);
  });

  it("has all that a row held, pictures by their handles, and gives a prompt of several parts as the client has it", () => {
    const rich = [
      { row: "h2", callId: "a", parts: ["[picture plimsoll:0123456789ab]"] },
      { row: "h3", callId: "", parts: ["look", "[picture plimsoll:0123456789ac]"] },
    ];
    const messages = [call("h1", "a"), result("h2", "a", ""), say("h3", "look"), call("h4", "b")];
    const asides = [{ after: "h3", author: "host", text: "beside it" }] as const;
    const conversation = read(messages, { rich, asides });
    expect(wordsOf(conversation)).toEqual([
      "toolCall",
      "[picture plimsoll:0123456789ab]",
      "person: look",
      "person: [picture plimsoll:0123456789ac]",
      "host: beside it",
      "toolCall",
    ]);
    const tail = renderTail(conversation.entries).messages;
    expect(tail[1]?.toolResults).toMatchObject([{ text: "[picture plimsoll:0123456789ab]" }]);
    expect(tail[2]).toBe(messages[2]);
    // What stood next to it comes along with it.
    expect(tail).toHaveLength(4);
  });

  it("knows the client's words for its own when it tells them again as rows", () => {
    const asides = [
      { after: "h2", author: "host", text: "<role>\nReview it." },
      { after: "h2", author: "person", text: "use tar" },
    ] as const;
    const { entries } = read([say("h0", "go"), call("h1", "a"), result("h2", "a", "ok")], { asides });
    const again = (before: EngineConversation): EngineConversation => {
      const reported = renderTail(before.entries).messages.map((message, at) => ({ ...message, handle: `again${at}` }));
      return read(reported, { retold: listRestated(before.entries) });
    };
    const once = again({ opening: [], record: undefined, entries });
    expect(wordsOf(once)).toEqual(["toolCall", "ok", "host: <role>\nReview it.", "person: use tar"]);
    expect(wordsOf(again(once))).toEqual(wordsOf(once));
  });

  it("has rows once that a resumed session finds twice", () => {
    const messages = [say("h0", "go"), call("old", "a"), call("new", "a"), result("h2", "a", "ok")];
    expect(wordsOf(read(messages, {}, ["old"]))).toEqual(["toolCall", "ok"]);
  });
});

describe("an end that must be short", () => {
  it("has long results folded, each under the handle that its original is kept by", () => {
    const long = "plank\n".repeat(3000);
    const { entries } = read([call("h1", "a"), result("h2", "a", long), call("h3", "b"), result("h4", "b", "short")]);
    const folded = foldTail(entries, { maxResultCharacters: 4_000 });
    expect(folded.originals).toEqual([{ output: long, tool: "Bash", command: "a" }]);
    const shown = folded.entries.flatMap((entry) => (entry.kind === "row" ? entry.row.resultTexts : []));
    expect(shown[0]?.text).toMatch(/^\[FOLDED: Bash output[\s\S]*plimsoll:[0-9a-f]{12}/);
    expect(shown[0]?.text.length).toBeLessThanOrEqual(3_000);
    expect(shown[1]?.text).toBe("short");
    expect(foldTail(folded.entries, { maxResultCharacters: 100 }).originals).toEqual([]);
  });
});

describe("a rewind", () => {
  const messages = [say("h0", "Paint it."), call("h1", "a"), result("h2", "a", "ok")];

  it("is seen where an answer is gone that we saw, and not where rows are there that we did not see", () => {
    const reported = parseRows(messages);
    expect(hasRewound({ ...NO_EXTRAS, answers: ["h1"] }, reported)).toBe(false);
    expect(hasRewound(NO_EXTRAS, reported)).toBe(false);
    expect(hasRewound({ ...NO_EXTRAS, answers: ["h1", "h9"] }, reported)).toBe(true);
  });

  it("goes back to what was known behind the record that stands there, and to nothing where there is none", () => {
    const record = "The conversation before this point was replaced by this record. One.";
    const known = createWatch();
    known.events(readEvents(read(messages)));
    const checkpoints = addCheckpoint([], record, known.save());
    expect(findCheckpoint(checkpoints, read([say("r", record), ...messages.slice(1)]))).toBeDefined();
    expect(findCheckpoint(checkpoints, read([say("r", `${record} Two.`), ...messages.slice(1)]))).toBeUndefined();
    expect(findCheckpoint(checkpoints, read(messages))).toBeUndefined();
  });

  it("reads the conversation once more, from its opening or from behind its record", () => {
    const watch = createWatch();
    watch.events(readEvents(read([...messages, call("h3", "make")])));
    const { state, trail } = watch.happened();
    expect(state.words.map(({ text }) => text)).toEqual(["Paint it."]);
    expect(trail.calls.map(({ callId }) => callId)).toEqual(["a", "make"]);
  });

  it("keeps the last few records only", () => {
    const state = createWatch().save();
    const many = ["1", "2", "3", "4", "5"].reduce<ReturnType<typeof addCheckpoint>>(
      (before, record) => addCheckpoint(before, record, state),
      [],
    );
    expect(many).toHaveLength(3);
  });
});
