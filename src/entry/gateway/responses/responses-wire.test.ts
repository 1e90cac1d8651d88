/** If red: a request to the Responses API is misread, or its stream reaches the client without an end. */
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

  it("says whether a tool must be called in the words that the policy knows", () => {
    const choose = (choice: unknown) =>
      parseRequest(body([said("user", "x")], { tool_choice: choice }), undefined, responsesWire)?.fields.toolChoice;
    expect(["auto", "required", { type: "function", name: "a" }, undefined].map(choose)).toEqual([
      "auto",
      "any",
      "function",
      "",
    ]);
  });

  it("asks for a compaction by its last item or by its header, and not otherwise", () => {
    const isCompaction = (input: readonly object[], metadata?: string): boolean | undefined => {
      const request = parseRequest(body(input), undefined, responsesWire);
      return request && responsesWire.isCompaction(request, { "x-codex-turn-metadata": metadata });
    };
    const input = [said("user", "Fix it.")];
    expect(isCompaction([...input, { type: "compaction_trigger" }])).toBe(true);
    expect(isCompaction([{ type: "compaction_trigger" }, ...input])).toBe(false);
    expect(isCompaction(input, '{"request_kind":"compaction"}')).toBe(true);
    for (const other of ['{"request_kind":"turn"}', "compaction", "null"])
      expect(isCompaction(input, other)).toBe(false);
  });

  it.each([
    ["keeps the conversation", { conversation: "conv_1" }],
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
    const compact = stream("resp_1", [words("Aye."), call("exec_command")]);
    const bytes = Buffer.from(compact.toString().replaceAll("},{", "} , {").replaceAll('"sequence_number":', "$& "));
    const heard = createSseParser().feed(bytes).flatMap(made.take);
    expect(made.endRound()).toBeDefined();
    expect(Buffer.concat([...heard, ...made.close({})]).toString()).toBe(bytes.toString());
  });

  const feed = (made: ReturnType<typeof createResponseStream>, events: readonly object[]) =>
    Buffer.concat(
      createSseParser()
        .feed(Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")))
        .flatMap(made.take),
    );
  const item = (kind: string, output_index: number, sequence_number: number, own: object) => ({
    ...{ type: `response.output_item.${kind}`, output_index, sequence_number, item: own },
  });

  it("numbers each item and event of a later answer on from the last that was shown", () => {
    const made = createResponseStream(RECALL);
    const first = [
      { type: "response.created", sequence_number: 0, response: { id: "a" } },
      item("added", 0, 1, call(RECALL)),
      item("done", 0, 2, call(RECALL)),
      { type: "response.note", sequence_number: 3 },
      { type: "response.completed", sequence_number: 4, response: { id: "a" } },
    ];
    expect(parseEvents(feed(made, first))).toEqual([first[0], first[3]]);
    expect(made.endRound()).toEqual({
      blocks: [{ raw: call(RECALL), bytes: Buffer.from(JSON.stringify(call(RECALL))) }],
      stopReason: "tool_use",
      usage: {},
    });
    const second = [
      { type: "response.created", sequence_number: 0, response: { id: "b" } },
      item("added", 0, 1, words("Aye.")),
      item("done", 0, 2, words("Aye.")),
      { type: "response.note" },
      item("added", 1, 3, words("So.")),
      item("done", 1, 4, words("So.")),
      { type: "response.completed", sequence_number: 5, response: { id: "b", output: [] } },
    ];
    expect(parseEvents(feed(made, second))).toEqual([
      item("added", 0, 5, words("Aye.")),
      item("done", 0, 6, words("Aye.")),
      { type: "response.note" },
      item("added", 1, 7, words("So.")),
      item("done", 1, 8, words("So.")),
    ]);
    expect(made.endRound()?.blocks.map(({ raw }) => raw)).toEqual([words("Aye."), words("So.")]);
    expect(parseEvents(Buffer.concat(made.close({})))).toEqual([
      { ...second[6], sequence_number: 9, response: { id: "a", output: [words("Aye."), words("So.")] } },
    ]);
  });

  it("gives items that the client sees the numbers that are free", () => {
    const made = createResponseStream(RECALL);
    const delta = { type: "response.some.delta", output_index: 0, sequence_number: 1, delta: "x" };
    expect(feed(made, [item("added", 0, 0, call(RECALL)), delta])).toHaveLength(0);
    const shown = parseEvents(feed(made, [item("added", 1, 2, words("Aye.")), { ...delta, output_index: 1 }]));
    expect(shown.map(({ output_index }) => output_index)).toEqual([0, 0]);
  });

  it("ends early as its upstream did, and repeats no items where that did not", () => {
    const made = createResponseStream(RECALL);
    const items = [call(RECALL), words("Aye.")];
    const end = { type: "response.incomplete", response: { id: "a", usage: { output_tokens: 3 } } };
    feed(made, [...items.map((own, at) => item("done", at, at, own)), end]);
    expect(made.giveUp()).toHaveLength(1);
    expect(made.endRound()).toMatchObject({ stopReason: "incomplete", usage: { output_tokens: 3 } });
    expect(made.giveUp()).toEqual([]);
    expect(made.endRound()).toBeUndefined();
    expect(parseEvents(Buffer.concat(made.close({})))).toEqual([
      { type: "response.incomplete", sequence_number: 2, response: { id: "a", usage: { output_tokens: 3 } } },
    ]);
  });

  it("may end without a word about its response, and without an event nothing ends it", () => {
    const made = createResponseStream(RECALL);
    expect(made.close({})).toEqual([]);
    feed(made, [{ type: "response.completed" }]);
    expect(made.endRound()).toEqual({ blocks: [], stopReason: "end_turn", usage: {} });
    expect(parseEvents(Buffer.concat(made.close({ usage: { output_tokens: 1 } })))).toEqual([
      { type: "response.completed", sequence_number: 0, response: { usage: { output_tokens: 1 } } },
    ]);
  });

  it("passes on what is no event", () => {
    const made = createResponseStream(RECALL);
    for (const text of [": ping\n\n", "data: [DONE]\n\n", "data: 3\n\n"])
      expect(Buffer.concat(createSseParser().feed(Buffer.from(text)).flatMap(made.take)).toString()).toBe(text);
  });

  it("is no answer where it failed, or ended before its end", () => {
    const made = createResponseStream(RECALL);
    const failed = Buffer.from('event: response.failed\ndata: {"type":"response.failed","response":{"id":"r"}}\n\n');
    expect(Buffer.concat(createSseParser().feed(failed).flatMap(made.take)).toString()).toBe(failed.toString());
    expect(made.endRound()).toBeUndefined();
  });
});

describe("a whole answer of the Responses API", () => {
  const { parse, parseUsage, renderFailure } = responsesWire.answers;
  const whole = (more: object) => Buffer.from(JSON.stringify({ id: "r", status: "completed", output: [], ...more }));

  it("ends with calls, with text or early, and is none where it failed", () => {
    const usage = { input_tokens: 3 };
    const round = parse(whole({ output: [words("I look."), call("exec_command")], usage }));
    expect(round).toMatchObject({ stopReason: "tool_use", usage });
    expect(round?.blocks.map(({ bytes }) => JSON.parse(String(bytes)))).toEqual([
      words("I look."),
      call("exec_command"),
    ]);
    expect(parse(whole({ output: [words("Done.")] }))).toMatchObject({ stopReason: "end_turn", usage: {} });
    const output = [call("exec_command")];
    expect(parse(whole({ output, status: "incomplete" }))).toMatchObject({ stopReason: "incomplete" });
    expect(parse(whole({ output, status: "failed" }))).toBeUndefined();
    expect(parse(Buffer.from("[]"))).toBeUndefined();
  });

  it("counts cached tokens apart from the input, of which they are a part here", () => {
    const details = { cached_tokens: 60, cache_write_tokens: 30 };
    expect(parseUsage({ input_tokens: 100, output_tokens: 7, input_tokens_details: details })).toEqual({
      inputTokens: 10,
      cacheReadTokens: 60,
      cacheWrite5mTokens: 30,
      cacheWrite1hTokens: 0,
      outputTokens: 7,
    });
    expect(parseUsage({ input_tokens: 40, input_tokens_details: details }).inputTokens).toBe(0);
    expect(parseUsage(undefined)).toMatchObject({ inputTokens: 0, outputTokens: 0 });
  });

  it("keeps its bytes but for its beginning's id, what the client sees, and the sum of what it cost", () => {
    const { render } = responsesWire.answers;
    const shown = [Buffer.from('{"b" : 2}')];
    const [first, last] = [
      whole({}),
      whole({ id: "s", output: [call(RECALL)], usage: { output_tokens: 1 }, more: 1.0 }),
    ];
    const made = JSON.parse(render(last, { first, shown }).toString());
    expect(made).toEqual({ id: "r", status: "completed", output: [{ b: 2 }], usage: { output_tokens: 1 }, more: 1 });
    expect(render(last, { first, shown }).toString()).toContain('{"b" : 2}');
    expect(JSON.parse(render(last, { first, shown, usage: { output_tokens: 5 } }).toString()).usage).toEqual({
      output_tokens: 5,
    });
  });

  it("offers a tool whose arguments need not all be given", () => {
    const about = { description: "d", parameters: { type: "object" } } as const;
    expect(responsesWire.bytes.renderTool("n", about)).toEqual({
      type: "function",
      name: "n",
      strict: false,
      ...about,
    });
  });

  it("that breaks off says why, in the upstream's words where it has any", () => {
    const failed = (code: string, message: string) => ({
      type: "response.failed",
      response: { status: "failed", error: { code, message } },
    });
    const error = { code: "rate_limit_exceeded", message: "slow down" };
    expect(renderFailure("it broke", { error })).toEqual(failed("rate_limit_exceeded", "slow down"));
    expect(renderFailure("it broke", { error: "x" })).toEqual(failed("server_error", "it broke"));
    expect(renderFailure("it broke", undefined)).toEqual(failed("server_error", "it broke"));
  });

  it("gives a picture that was fetched back as a picture, and any other file as a file", () => {
    const { renderPicture } = responsesWire.bytes;
    expect(renderPicture("image/png", "AA")).toEqual({ type: "input_image", image_url: "data:image/png;base64,AA" });
    expect(renderPicture("application/pdf", "AA")).toEqual({
      type: "input_file",
      filename: "recalled.pdf",
      file_data: "data:application/pdf;base64,AA",
    });
  });
});
