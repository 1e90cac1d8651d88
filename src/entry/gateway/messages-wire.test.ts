/** If red: a request leaves with other bytes than it came with, and the cached prefix is lost. */
import { describe, expect, it } from "vitest";
import { renderBody, toolLoop } from "../../../test/gateway/conversation.ts";
import { createSseParser } from "../../library/stream/sse-frames.ts";
import { messagesWire } from "./messages-wire.ts";
import { closeWith } from "./put-away.ts";
import { parseRequest } from "./request/parse-request.ts";

const { answers, bytes, compaction } = messagesWire;
const parse = (more: Readonly<Record<string, unknown>> = {}) => {
  const request = parseRequest(Buffer.from(renderBody(toolLoop(1, 3), more)));
  if (!request) throw new Error("the request is none");
  return request;
};

describe("the Messages API", () => {
  it("has fields that say what a request is", () => {
    const { tools, system, ...fields } = parse({
      stream: true,
      metadata: { user_id: "ada" },
      tool_choice: { type: "tool", name: "Bash" },
      context_management: { edits: [{ type: "compact_20260112" }] },
    }).fields;
    const base = JSON.parse(renderBody([]));
    expect(fields).toEqual({
      model: "claude-sonnet-4-6",
      isStream: true,
      userId: "ada",
      isClearedByServer: true,
      baseBytes: JSON.stringify(base.system).length + JSON.stringify(base.tools).length,
      toolChoice: "tool",
    });
    expect([tools?.isBehind, system?.isBehind]).toEqual([true, true]);
    const odd = { metadata: 7, tool_choice: "any", context_management: { edits: [{ type: "other" }] } };
    for (const more of [odd, { ...odd, context_management: 7, metadata: {} }])
      expect(parse(more).fields).toMatchObject({
        isStream: false,
        userId: "",
        isClearedByServer: false,
        toolChoice: "",
      });
  });

  it("has messages of a role and a content, and nothing else", () => {
    const message = { role: "user", content: "x" };
    expect(messagesWire.group([message, { ...message, content: [] }])).toEqual([
      { message, count: 1 },
      { message: { ...message, content: [] }, count: 1 },
    ]);
    for (const odd of [{ role: 1, content: "x" }, { role: "user" }, { role: "user", content: {} }, "user", null])
      expect(messagesWire.group([message, odd])).toBeUndefined();
  });

  it.each([
    ['{"messages":[{"role":"user","content":"assistant \\"assistant\\""}]}', true],
    ['{"messages":[{"role":"assistant","content":"x"}]}', false],
    ['{"messages":[{"role":"\\u0061ssistant","content":"x"}]}', false],
    ['{"messages":[{"role":"a\\u0073sistant","content":"x"}]}', false],
    [`{"messages":[{"role":"user","content":"${closeWith("plimsoll:0123456789ab")}"}]}`, false],
  ])("begins with %s: %s", (body, isBeginning) => {
    expect(messagesWire.isBeginning(Buffer.from(body))).toBe(isBeginning);
  });

  it("is written with the bytes that its blocks came in", () => {
    const block = { type: "text", text: "x" };
    const message = { role: "user", content: [block, { type: "other" }], note: undefined, more: 1 };
    const source = (raw: object) => (raw === block ? Buffer.from('{ "type" : "text" }') : undefined);
    expect(String(bytes.render(message, source))).toBe(
      '{"role":"user","content":[{ "type" : "text" },{"type":"other"}],"more":1}',
    );
    expect(String(bytes.render({ role: "user", content: "x" }, source))).toBe('{"role":"user","content":"x"}');
    expect(String(bytes.render({ role: "user", content: [{ a: 1 }, {}, {}] }, () => undefined))).toBe(
      '{"role":"user","content":[{"a":1},{},{}]}',
    );
  });

  it("has its blocks found where they are", () => {
    const find = (text: string) => {
      const body = Buffer.from(text);
      const spans = bytes.scanBlocks(body, { start: 1, end: body.length });
      return spans.map(({ start, end }) => text.slice(start, end));
    };
    expect(find(' {"role":"user", "content" : [ {"a":1} , 2 ]}')).toEqual(['{"a":1}', "2"]);
    for (const odd of [' {"content":"x"}', ' {"content":[1],"content":[2]}', ' {"role":"user"}', " 7"])
      expect(find(odd)).toEqual([]);
  });

  it("gets tools, pictures and files in its own words", () => {
    const parameters = { type: "object" };
    expect(bytes.renderTool("recall", { description: "d", parameters })).toEqual({
      name: "recall",
      description: "d",
      input_schema: parameters,
    });
    for (const [mediaType, type] of [
      ["image/png", "image"],
      ["application/pdf", "document"],
    ] as const)
      expect(bytes.renderPicture(mediaType, "AA")).toEqual({
        type,
        source: { type: "base64", media_type: mediaType, data: "AA" },
      });
  });
});

describe("a whole answer of the Messages API", () => {
  const block = { type: "text", text: "Aye." };
  const whole = { id: "msg_1", content: [block], stop_reason: "tool_use", usage: { input_tokens: 3 } };
  const render = (value: unknown) => Buffer.from(JSON.stringify(value));

  it("is its blocks with their bytes, why it stopped, and what it used", () => {
    expect(answers.parse(render(whole))).toEqual({
      blocks: [{ raw: block, bytes: render(block) }],
      stopReason: "tool_use",
      usage: { input_tokens: 3 },
    });
    expect(answers.parse(render({ content: [] }))).toEqual({ blocks: [], stopReason: "", usage: {} });
    for (const odd of [[], "x", {}, { content: "x" }, { content: [1] }])
      expect(answers.parse(render(odd))).toBeUndefined();
  });

  it("is written with everything that was shown, and the rest as it came", () => {
    const shown = ['{ "a": 1.0 }', "{}"].map((text) => Buffer.from(text));
    const last = Buffer.from('{"id":"msg_2","x":1.0,"content":[],"stop_reason":"tool_use","usage":{"a":1}}');
    expect(String(answers.render(last, { first: render(whole), shown }))).toBe(
      '{"id":"msg_1","x":1.0,"content":[{ "a": 1.0 },{}],"stop_reason":"tool_use","usage":{"a":1}}',
    );
    const ending = { stopReason: "end_turn", usage: { a: 2 } };
    expect(JSON.parse(String(answers.render(last, { first: render(whole), shown, ...ending })))).toMatchObject({
      stop_reason: "end_turn",
      usage: { a: 2 },
    });
  });

  it("says in the middle of a stream what failed, in the API's words where there are any", () => {
    const failure = { type: "error", error: { type: "api_error", message: "it broke" } };
    expect(answers.renderFailure("it broke", undefined)).toEqual(failure);
    expect(answers.renderFailure("it broke", { type: "error", error: {} })).toEqual({ type: "error", error: {} });
  });
});

describe("a compaction that is answered here", () => {
  const usage = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 };
  const message = {
    id: "msg_plimsoll_5e55",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-6",
    stop_sequence: null,
    usage,
  };
  const text = "<summary>\nWhat happened.\n</summary>";
  const answer = (stream: boolean) => {
    const asked = { request: parse({ stream }), session: "5e55", user: "ada" };
    return compaction.render(asked, { text: "What happened.", handle: "plimsoll:0123456789ab" });
  };

  it("comes as one message", () => {
    const { contentType, body } = answer(false);
    expect(contentType).toBe("application/json");
    const content = [{ type: "text", text }];
    expect(JSON.parse(String(body))).toEqual({ ...message, content, stop_reason: "end_turn" });
  });

  it("comes as a stream, event by event", () => {
    const { contentType, body } = answer(true);
    expect(contentType).toBe("text/event-stream; charset=utf-8");
    const events = createSseParser().feed(body);
    for (const { event, data } of events) expect(JSON.parse(data ?? "").type).toBe(event);
    expect(events.map(({ data }) => JSON.parse(data ?? ""))).toEqual([
      { type: "message_start", message: { ...message, content: [], stop_reason: null } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage },
      { type: "message_stop" },
    ]);
  });
});
