/** If red: an answer reaches the client changed, twice or not at all, or the usage of a recall is lost. */
import zlib from "node:zlib";
import { describe, expect, it } from "vitest";
import { post, renderBody, toolLoop } from "../../../test/gateway/conversation.ts";
import { createFolder, openGateway } from "../../../test/gateway/open-gateway.ts";
import { openRawApi, type RawAnswer } from "../../../test/gateway/raw-api.ts";
import type { GatewayOptions } from "./gateway.ts";
import { createFileStore } from "./store/file-store.ts";
import type { JournalEntry } from "./store/gateway-store.ts";

const TOOL = "plimsoll_recall";
const USAGE = { input_tokens: 5, output_tokens: 2, cache_read_input_tokens: 100, cache_creation_input_tokens: 7 };
const TEXT = { type: "text", text: "Aye." };
const OWN = { type: "tool_use", id: "toolu_own", name: "Bash", input: { command: "ls" } };

interface Answered {
  readonly content: readonly object[];
  readonly stop_reason: string;
}

const said: Answered = { content: [TEXT], stop_reason: "end_turn" };
const recall = (handle: string, more: object = {}) => ({
  type: "tool_use",
  id: "toolu_r",
  name: TOOL,
  input: { handle, ...more },
});
const JSON_TYPE = { "content-type": "application/json" };

/** An answer of the API, at once or as its stream. */
function renderAnswer({ content, stop_reason }: Answered, index: number, isStream: boolean): string {
  const message = { id: `msg_${index}`, type: "message", role: "assistant", model: "m", stop_sequence: null };
  if (!isStream) return JSON.stringify({ ...message, content, stop_reason, usage: USAGE });
  const blocks = content.flatMap((block, at) => [
    { type: "content_block_start", index: at, content_block: block },
    { type: "content_block_stop", index: at },
  ]);
  return [
    { type: "message_start", message: { ...message, content: [], stop_reason: null, usage: USAGE } },
    ...blocks,
    { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
}

type Reply = Answered | RawAnswer;

/** A gateway in front of an API that gives these answers in turn, and a request of which a result was folded. */
async function converse(
  isStream: boolean,
  replies: (handle: string) => readonly Reply[],
  more: Partial<GatewayOptions> = {},
) {
  const api = await openRawApi((request, response, index) => {
    const [handle = ""] = /plimsoll:[0-9a-f]{12}/.exec(String(request.body)) ?? [];
    const reply = replies(handle)[index];
    if (!reply) throw new Error(`there is no answer ${index}`);
    if (typeof reply === "function") return reply(request, response, index);
    const type = isStream ? "text/event-stream; charset=utf-8" : "application/json";
    response.writeHead(200, "Fine", { "content-type": type, "request-id": `req_${index}` });
    response.end(renderAnswer(reply, index, isStream));
  });
  const entries: JournalEntry[] = [];
  const store = {
    ...createFileStore({ folder: createFolder() }),
    note: (entry: JournalEntry) => void entries.push(entry),
  };
  const gateway = await openGateway(api.url, { store, ...more });
  const body = renderBody(toolLoop(2, 300), { stream: isStream });
  const answer = await post(gateway.url, body, { "accept-encoding": "br" });
  const text = await answer.text().catch(String);
  await expect.poll(() => entries.length).toBe(1);
  const metrics = (await (await fetch(`${gateway.url}/metrics`)).text()).split("\n");
  const counted = metrics.flatMap((line) => /^plimsoll_gateway_(\w+_total(?:\{.*\})? [1-9]\d*)$/.exec(line)?.[1] ?? []);
  const requests = api.requests.map((request) => ({ ...request, messages: JSON.parse(String(request.body)).messages }));
  const streams = metrics.find((line) => line.startsWith("plimsoll_gateway_active_streams"));
  expect(streams).toBe("plimsoll_gateway_active_streams 0");
  // What is saved and decided for the request is the same in all of these.
  const own = counted.filter((line) => !/^(?:edits|edited|saved_)/.test(line));
  return { answer, text, body, requests, counted: own, entry: entries[0], url: gateway.url };
}

const tokens = (times: number) => [
  `tokens_total{kind="input"} ${5 * times}`,
  `tokens_total{kind="cache_read"} ${100 * times}`,
  `tokens_total{kind="cache_write"} ${7 * times}`,
  `tokens_total{kind="output"} ${2 * times}`,
];

/** The blocks that a client makes of an answer, with the reason that it ended. */
function read(text: string, isStream: boolean): { content: object[]; stop: string; id: string; usage: object } {
  if (!isStream) {
    const { id, content, stop_reason, usage } = JSON.parse(text);
    return { id, content, stop: stop_reason, usage };
  }
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
  const starts = events.filter(({ type }) => type === "content_block_start");
  const begun = events.filter(({ type }) => type === "message_start");
  expect([begun.length, starts.map(({ index }) => index)]).toEqual([1, starts.map((_, at) => at)]);
  const end = events.find(({ type }) => type === "message_delta");
  const content = starts.map(({ content_block }) => content_block);
  return { id: begun[0].message.id, content, stop: end.delta.stop_reason, usage: end.usage };
}

describe.each([false, true])("a message, streamed: %s", (isStream) => {
  it("is passed on byte for byte where the model fetches nothing, and counted once", async () => {
    const { answer, text, requests, counted, entry, body } = await converse(isStream, () => [said]);
    expect([answer.status, answer.statusText, text]).toEqual([200, "Fine", renderAnswer(said, 0, isStream)]);
    expect(answer.headers.get("request-id")).toBe("req_0");
    expect(counted).toEqual(['requests_total{kind="messages",status="200"} 1', ...tokens(1)]);
    const [request] = requests;
    // What is read here must not come compressed.
    expect(request?.headers).toMatchObject({
      "accept-encoding": "identity",
      "content-length": String(request?.body.length),
      "x-api-key": "sk-ant-made-up",
    });
    expect(JSON.parse(String(request?.body)).tools.at(-1).name).toBe(TOOL);
    expect(entry).toMatchObject({
      ...{ user: "", model: "claude-sonnet-4-6", route: "messages", status: 200, bytesIn: body.length },
      ...{ bytesOut: request?.body.length, edits: 1, editsByLayer: { foldOutputs: 1 }, replayed: 0, dropped: 0 },
      ...{ incidents: [], usage: { inputTokens: 5, cacheReadTokens: 100, cacheWrite5mTokens: 7, outputTokens: 2 } },
    });
    const { planMs = 0, firstByteMs = 0, durationMs = 0, tokensBefore = 0, tokensAfter = 0 } = entry ?? {};
    expect([planMs > 0, firstByteMs > 0, durationMs >= firstByteMs, tokensBefore > tokensAfter]).toEqual(
      Array(4).fill(true),
    );
    expect(entry?.atMs).toBeGreaterThan(Date.now() - 600_000);
  });

  it("is one answer where the model fetches something back, with the usage of both requests", async () => {
    const { answer, text, requests, counted, entry } = await converse(isStream, (handle) => [
      { content: [TEXT, recall(handle, { lines: [3, 4] })], stop_reason: "tool_use" },
      said,
    ]);
    expect(answer.status).toBe(200);
    expect(read(text, isStream)).toMatchObject({ id: "msg_0", content: [TEXT, TEXT], stop: "end_turn" });
    expect(read(text, isStream).usage).toEqual({
      input_tokens: 10,
      output_tokens: 4,
      cache_read_input_tokens: 200,
      cache_creation_input_tokens: 14,
    });
    const [first, second] = requests;
    const added = second?.messages.slice(first?.messages.length);
    expect(added).toMatchObject([
      { role: "assistant", content: [TEXT, { type: "tool_use", id: "toolu_r", name: TOOL }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_r" }] },
    ]);
    expect(JSON.stringify(added[1])).toContain("3: compute the draught");
    expect(JSON.stringify(added[1])).not.toContain("6: compute the draught");
    const one = ['requests_total{kind="messages",status="200"} 1', "recalls_total 1"];
    expect(counted).toEqual([...one, ...tokens(2)]);
    expect(entry).toMatchObject({ status: 200, usage: { inputTokens: 10, outputTokens: 4 } });
  });

  it("has the model's own calls answered by the client, together with what it fetched", async () => {
    const { text, requests, counted } = await converse(isStream, (handle) => [
      { content: [recall(handle), OWN], stop_reason: "tool_use" },
    ]);
    expect(read(text, isStream)).toMatchObject({ content: [OWN], stop: "tool_use" });
    expect([requests.length, counted.includes("recalls_total 1")]).toEqual([1, true]);
  });

  it("is told to ask for less where what it fetched does not fit", async () => {
    const overflow: RawAnswer = (_, response) =>
      response.writeHead(413, JSON_TYPE).end('{"type":"error","error":{"type":"request_too_large","message":"x"}}');
    const { text, requests } = await converse(isStream, (handle) => [
      { content: [recall(handle)], stop_reason: "tool_use" },
      overflow,
      said,
    ]);
    expect(read(text, isStream)).toMatchObject({ content: [TEXT], stop: "end_turn" });
    expect(requests[1]?.messages.at(-1).content[0].is_error ?? false).toBe(false);
    expect(requests[2]?.messages.at(-1).content).toMatchObject([
      {
        is_error: true,
        content: [
          {
            type: "text",
            text: "The result does not fit into this conversation: pass lines [from, to], a pattern, or fewer handles.",
          },
        ],
      },
    ]);
  });

  it("ends as a plain answer where the model fetches again and again", async () => {
    const { text, requests, counted } = await converse(isStream, (handle) =>
      Array.from({ length: 13 }, () => ({ content: [TEXT, recall(handle)], stop_reason: "tool_use" })),
    );
    expect(read(text, isStream)).toMatchObject({ content: Array(13).fill(TEXT), stop: "end_turn" });
    expect([requests.length, counted[1]]).toEqual([13, "recalls_total 12"]);
  });

  it.each<[string, number, Record<string, string>, string]>([
    ["an error", 529, JSON_TYPE, '{"type":"error","error":{"type":"overloaded_error","message":"busy"}}'],
    ["a page", 200, { "content-type": "text/html" }, "<html>"],
    ["half an answer", 200, JSON_TYPE, '{"content":'],
  ])("ends with what failed where the rest of it is %s", async (_name, status, headers, body) => {
    const broken: RawAnswer = (_, response) => response.writeHead(status, headers).end(body);
    const { answer, text } = await converse(isStream, (handle) => [
      { content: [TEXT, recall(handle)], stop_reason: "tool_use" },
      broken,
    ]);
    const words =
      status === 200 && !isStream
        ? "plimsoll gateway: the upstream's reply could not be read as a continuation of this answer"
        : `the upstream answered ${status} ${headers["content-type"]}`;
    const failure = { type: "error", error: { type: "api_error", message: words } };
    if (isStream) {
      const shown = renderAnswer({ content: [TEXT], stop_reason: "" }, 0, true).split("event: message_delta")[0];
      const event = status === 200 ? JSON.stringify(failure) : body;
      expect([answer.status, text]).toEqual([200, `${shown}event: error\ndata: ${event}\n\n`]);
    } else {
      expect([answer.status, JSON.parse(text)]).toEqual(status === 200 ? [502, failure] : [status, JSON.parse(body)]);
    }
  });

  it("is passed on where it is neither JSON nor a stream", async () => {
    const page: RawAnswer = (_, response) => response.writeHead(203, { "content-type": "text/html" }).end("<html>");
    const { answer, text, counted } = await converse(isStream, () => [page]);
    expect([answer.status, text, counted]).toEqual([203, "<html>", ['requests_total{kind="messages",status="203"} 1']]);
  });

  it("is decoded where it came compressed, and asked for again as the client wrote it where it cannot be", async () => {
    const type = isStream ? "text/event-stream" : "application/json";
    const packed = (encoding: string, pack: (text: string) => Buffer): RawAnswer => {
      return (_, response, index) =>
        response
          .writeHead(200, { "content-type": type, "content-encoding": encoding })
          .end(pack(renderAnswer(said, index, isStream)));
    };
    const zipped = await converse(isStream, () => [packed("gzip", (text) => zlib.gzipSync(text))]);
    expect([zipped.text, zipped.answer.headers.get("content-encoding")]).toEqual([
      renderAnswer(said, 0, isStream),
      null,
    ]);
    const odd = await converse(isStream, () => [packed("compress", Buffer.from), said]);
    expect(odd.text).toBe(renderAnswer(said, 1, isStream));
    expect(odd.requests.map(({ body }) => String(body) === odd.body)).toEqual([false, true]);
    expect(odd.counted).toContain('incidents_total{cause="coding"} 1');
  });

  it("is passed on as it came where it breaks off in the middle", async () => {
    const whole = renderAnswer({ content: [TEXT, TEXT], stop_reason: "end_turn" }, 0, isStream);
    const broken: RawAnswer = (_, response) => {
      const type = isStream ? "text/event-stream" : "application/json";
      response.writeHead(200, { "content-type": type, "content-length": whole.length });
      response.write(whole.slice(0, 120), () => setTimeout(() => response.socket?.destroy(), 20));
    };
    const { text, counted } = await converse(isStream, () => [broken]);
    expect([text, counted.includes("upstream_errors_total 1")]).toEqual(["TypeError: terminated", isStream]);
  });
});

describe("what cannot be sent", () => {
  it("is refused where it is too large, with the limit", async () => {
    const { url } = await converse(false, () => [said], { maxBodyBytes: 1_999_999 });
    const answer = await post(url, " ".repeat(2_000_000));
    const message = "plimsoll gateway: the request body is larger than 1 MB";
    expect([answer.status, await answer.json()]).toEqual([
      413,
      { type: "error", error: { type: "request_too_large", message } },
    ]);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('refused_total{why="body"} 1');
  });

  it("is to be sent again soon where a compacted history cannot be read now", async () => {
    const files = createFileStore({ folder: createFolder() });
    const api = await openRawApi();
    const store = { ...files, readOriginal: () => Promise.reject(new Error("away")) };
    const { url } = await openGateway(api.url, { store });
    const input = [{ type: "compaction", encrypted_content: "plimsoll:0123456789ab" }];
    const answer = await fetch(`${url}/v1/responses`, { method: "POST", body: JSON.stringify({ model: "m", input }) });
    const message = "plimsoll gateway: the compacted conversation cannot be read now: try again in a moment";
    expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toEqual([
      503,
      "1",
      { type: "error", error: { type: "overloaded_error", message } },
    ]);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('incidents_total{cause="store"} 1');
    expect(api.requests).toEqual([]);
  });
});
