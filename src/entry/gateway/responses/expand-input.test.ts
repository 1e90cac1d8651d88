/** If red: a conversation goes on after a compaction without its history, or with it twice. */
import { describe, expect, it } from "vitest";
import { createSseParser } from "../../../library/stream/sse-frames.ts";
import { closeWith, parsePutAway, putAway } from "../put-away.ts";
import { parseRequest } from "../request/parse-request.ts";
import { type CompactionCall, UnexpandedError } from "../wire.ts";
import { expandInput, putAwayInput, renderCompaction } from "./expand-input.ts";
import { responsesWire } from "./responses-wire.ts";

const said = (role: string, text: string) => ({ type: "message", role, content: [{ type: "input_text", text }] });
const HISTORY = [said("user", "Fix it."), said("user", "Again."), { type: "reasoning", encrypted_content: "e" }];
const TRIGGER = { type: "compaction_trigger" };
const compacted = (handle: string) => ({ type: "compaction", encrypted_content: handle });

/** A store with these histories, each under its handle. */
function keep(...lists: readonly (readonly object[])[]) {
  const kept = lists.map((list) => putAway({ user: "ada", left: [] }, JSON.stringify(list)));
  const readOriginal = async (handle: string) => kept.find((original) => original.handle === handle)?.text;
  return { handles: kept.map(({ handle }) => handle), reader: { user: "ada", readOriginal } };
}

async function expand(input: unknown, reader: Parameters<typeof expandInput>[1]): Promise<readonly object[]> {
  const body = Buffer.from(JSON.stringify({ model: "m", input, stream: true }));
  const expanded = JSON.parse(String(await expandInput(body, reader)));
  expect({ ...expanded, input: 0 }).toEqual({ model: "m", input: 0, stream: true });
  return expanded.input;
}

describe("a conversation that goes on after a compaction", () => {
  it("has its history back in place of the item, and nothing of it twice", async () => {
    const { handles, reader } = keep(HISTORY);
    const item = compacted(handles[0] ?? "");
    const after = said("user", "Go on.");
    expect(await expand([item, after], reader)).toEqual([...HISTORY, after]);
    const [first] = HISTORY;
    // The client repeats its messages in the new window: as often as the history has them they are left out.
    expect(await expand([first, first, said("user", "New."), item, first], reader)).toEqual([
      ...HISTORY,
      first,
      said("user", "New."),
      first,
    ]);
    expect(await expand([{ type: "reasoning", encrypted_content: "e" }, item], reader)).toEqual([
      ...HISTORY,
      { type: "reasoning", encrypted_content: "e" },
    ]);
  });

  it("has it back from the text that a client puts in its place, and from a compaction before that", async () => {
    const [inner] = keep(HISTORY).handles;
    const later = [said("user", `A record.\n\n${closeWith(inner ?? "")}`), said("user", "And that.")];
    const { handles, reader } = keep(HISTORY, later);
    const text = said("user", `Another record.\n\n${closeWith(handles[1] ?? "")}`);
    expect(await expand([text, said("user", "Go on.")], reader)).toEqual([
      ...HISTORY,
      said("user", "And that."),
      said("user", "Go on."),
    ]);
    // Only a user's message of a single text is such a one, and only a handle in full.
    const others = [
      said("assistant", closeWith(handles[0] ?? "")),
      { ...text, content: [...text.content, ...text.content] },
      { ...text, content: [{ type: "input_image" }] },
      compacted(`${handles[0]}0`),
      compacted("plimsoll:"),
      { type: "compaction", encrypted_content: 7, note: handles[0] },
    ];
    expect(await expand(others, reader)).toEqual(others);
  });

  it("tells the model what is missing where it is not this user's, or gone", async () => {
    const { handles, reader } = keep(HISTORY);
    const [handle = ""] = handles;
    const missing = said(
      "user",
      `The conversation before a compaction is stored elsewhere as ${handle}, and cannot be read here.`,
    );
    const rest = [said("user", "Before."), compacted(handle), said("user", "Go on.")];
    for (const other of [
      { ...reader, user: "eve" },
      { ...reader, readOriginal: async () => undefined },
    ]) {
      expect(await expand(rest, other)).toEqual([rest[0], missing, rest[2]]);
      // The text that stands in the place of a history says what the model needs.
      const text = said("user", closeWith(handle));
      expect(await expand([text, said("user", "Go on.")], other)).toEqual([text, said("user", "Go on.")]);
    }
  });

  it("is not sent without its history where the store fails", async () => {
    const [handle = ""] = keep(HISTORY).handles;
    const readOriginal = () => Promise.reject(new Error("away"));
    const expanded = expand([compacted(handle)], { user: "ada", readOriginal });
    await expect(expanded).rejects.toThrow(UnexpandedError);
    await expect(expanded).rejects.toThrow(`${handle} cannot be read`);
  });

  it.each([
    '{"input":[{"type":"message"}]}',
    '{"input":"plimsoll:"}',
    '{"note":"plimsoll:"}',
    '{"input":[{"type":"compaction","encrypted_content":"plimsoll:000000000000"}],"input":[]}',
    "plimsoll:",
  ])("is left as it came where it is %s", async (text) => {
    const body = Buffer.from(text);
    expect(await expandInput(body, keep(HISTORY).reader)).toBe(body);
  });
});

function ask(input: readonly object[], stream: boolean): CompactionCall {
  const body = Buffer.from(JSON.stringify({ model: "gpt-5", stream, input }));
  const request = parseRequest(body, undefined, responsesWire);
  if (!request) throw new Error("the request is none");
  return { request, session: "5e55", user: "ada" };
}

describe("a compaction", () => {
  it("has the history stored as it came, without the request to compact", () => {
    const whose = { user: "ada", left: ["f".repeat(64)] };
    const { text } = putAwayInput(ask([...HISTORY, TRIGGER], false), whose);
    expect({ ...parsePutAway(text, "ada"), list: 0 }).toEqual({ ...whose, list: 0 });
    expect(String(parsePutAway(text, "ada")?.list)).toBe(JSON.stringify(HISTORY));
    expect(String(parsePutAway(putAwayInput(ask([TRIGGER], false), whose).text, "ada")?.list)).toBe("[]");
  });

  const written = { text: "What happened.", handle: "plimsoll:0123456789ab" };
  const id = "plimsoll_5e55_0123456789ab";
  const item = { id: `cmp_${id}`, type: "compaction", encrypted_content: written.handle };
  const message = {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: written.text, annotations: [] }],
  };
  const begun = { id: `resp_${id}`, object: "response", status: "in_progress", model: "gpt-5", output: [] };
  const usage = {
    input_tokens: 0,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 0,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 0,
  };

  it.each([
    ["an item", [...HISTORY, TRIGGER], item],
    ["a text", HISTORY, message],
  ])("is answered with %s, at once or as a stream", (_name, input, output) => {
    const response = { ...begun, status: "completed", output: [output], usage };
    const whole = renderCompaction(ask(input, false), written);
    expect([whole.contentType, JSON.parse(String(whole.body))]).toEqual(["application/json", response]);
    const { contentType, body } = renderCompaction(ask(input, true), written);
    expect(contentType).toBe("text/event-stream; charset=utf-8");
    const events = createSseParser()
      .feed(body)
      .map(({ event, data }) => [event, JSON.parse(data ?? "")]);
    const expected = [
      { type: "response.created", response: begun },
      { type: "response.output_item.added", output_index: 0, item: output },
      { type: "response.output_item.done", output_index: 0, item: output },
      { type: "response.completed", response },
    ];
    expect(events).toEqual(expected.map((event, sequence_number) => [event.type, { ...event, sequence_number }]));
  });
});
