import { describe, expect, it } from "vitest";
import { createSseParser } from "../../../library/stream/sse-frames.ts";
import { parseRequest } from "../request/parse-request.ts";
import { createResponseStream, responsesWire } from "./responses-wire.ts";

const said = (role: string, text: string) => ({ type: "message", role, content: [{ type: "input_text", text }] });
const body = (input: readonly object[], more: object = {}) =>
  Buffer.from(JSON.stringify({ model: "m", stream: true, input, tools: [{ type: "web_search" }], ...more }));

describe("a request of the Responses API", () => {
  it("is read the same whether its beginning was known or not, also where the last to speak goes on", () => {
    const rows = [
      [said("developer", "Be brief."), said("user", "Fix it.")],
      [said("user", "And that."), { type: "reasoning", summary: [], encrypted_content: "e" }],
      [{ type: "function_call", call_id: "a", name: "exec_command", arguments: "{}" }],
      [{ type: "function_call_output", call_id: "a", output: "out" }, said("user", "Go on.")],
    ];
    let input: readonly object[] = [];
    let known = parseRequest(body(rows[0] ?? []), undefined, responsesWire);
    for (const row of rows) {
      input = [...input, ...row];
      const whole = parseRequest(body(input), undefined, responsesWire);
      known = parseRequest(body(input), known, responsesWire);
      expect(known?.conversation.messages).toEqual(whole?.conversation.messages);
      expect([known?.spans, known?.fields]).toEqual([whole?.spans, whole?.fields]);
    }
    expect(known?.conversation.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });

  it("counts what the developer says in front with its base, and nothing else of its input", () => {
    const [first, second] = [said("developer", "Be brief."), said("user", "Fix it.")];
    const request = parseRequest(body([first, second]), undefined, responsesWire);
    const tools = JSON.stringify([{ type: "web_search" }]).length;
    expect(request?.fields.baseBytes).toBe(JSON.stringify(first).length + 1 + tools);
    expect(request?.conversation.messages).toHaveLength(1);
  });

  it.each([
    ["remembers the conversation", { previous_response_id: "resp_1" }],
    ["works in the background", { background: true }],
  ])("is not looked into where the API %s", (_name, more) => {
    expect(parseRequest(body([said("user", "x")], more), undefined, responsesWire)).toBeUndefined();
  });
});

const RECALL = "plimsoll_recall";
const words = (text: string) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });
const call = (name: string) => ({ type: "function_call", call_id: name, name, arguments: "{}" });

/** The stream of one answer, as the API numbers it. */
function stream(id: string, items: readonly object[]): Buffer {
  const usage = { input_tokens: 10, output_tokens: 1, input_tokens_details: { cached_tokens: 4 } };
  const events = [
    { type: "response.created", response: { id } },
    { type: "response.in_progress", response: { id } },
    ...items.flatMap((item, output_index) => [
      { type: "response.output_item.added", output_index, item },
      { type: "response.some.delta", output_index, delta: "x" },
      { type: "response.output_item.done", output_index, item },
    ]),
    { type: "response.completed", response: { id, status: "completed", output: items, usage } },
  ];
  const frames = events.map(
    (event, sequence_number) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
  );
  return Buffer.from(frames.join(""));
}

function parseEvents(bytes: Uint8Array): readonly Readonly<Record<string, unknown>>[] {
  return createSseParser()
    .feed(bytes)
    .map(({ data }) => JSON.parse(data ?? "{}"));
}

describe("one streamed response out of several", () => {
  it("has one beginning, one end, and items and events that are numbered through, without the calls that were answered here", () => {
    const made = createResponseStream(RECALL);
    const heard: Uint8Array[] = [];
    const rounds = [
      [words("I look."), call(RECALL)],
      [call("exec_command"), words("Done.")],
    ];
    for (const [index, items] of rounds.entries()) {
      heard.push(
        ...createSseParser()
          .feed(stream(`resp_${index}`, items))
          .flatMap(made.take),
      );
      const round = made.endRound();
      expect(round).toMatchObject({ stopReason: "tool_use", usage: { input_tokens: 10 } });
      expect(round?.blocks.map(({ raw }) => raw)).toEqual(items);
    }
    heard.push(...made.close({ usage: { input_tokens: 20 }, stopReason: "tool_use" }));
    const events = parseEvents(Buffer.concat(heard));
    expect(events.map(({ type }) => type).filter((type) => String(type).startsWith("response.c"))).toEqual([
      "response.created",
      "response.completed",
    ]);
    const done = events.filter(({ type }) => type === "response.output_item.done");
    expect(done.map(({ output_index, item }) => [output_index, item])).toEqual([
      [0, words("I look.")],
      [1, call("exec_command")],
      [2, words("Done.")],
    ]);
    const numbers = events.map(({ sequence_number }) => Number(sequence_number));
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
    const shown = [words("I look."), call("exec_command"), words("Done.")];
    expect(events.at(-1)).toMatchObject({ response: { id: "resp_0", usage: { input_tokens: 20 }, output: shown } });
  });

  it("is the very bytes of the upstream where nothing is asked back", () => {
    const made = createResponseStream(RECALL);
    const bytes = stream("resp_1", [words("Aye."), call("exec_command")]);
    const heard = createSseParser().feed(bytes).flatMap(made.take);
    expect(made.endRound()).toBeDefined();
    expect(Buffer.concat([...heard, ...made.close({})]).toString()).toBe(bytes.toString());
  });

  it("is no answer where it failed, or ended before its end", () => {
    const made = createResponseStream(RECALL);
    const failed = Buffer.from('event: response.failed\ndata: {"type":"response.failed","response":{"id":"r"}}\n\n');
    expect(Buffer.concat(createSseParser().feed(failed).flatMap(made.take)).toString()).toBe(failed.toString());
    expect(made.endRound()).toBeUndefined();
  });
});
