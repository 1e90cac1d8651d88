/** If red: a client sees an answer that is cut, joined wrong, or billed twice after the model fetched something back. */
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { assembleMessage, parseFrames } from "../../../../test/api/assemble-message.ts";
import { messagesWire } from "../messages-wire.ts";
import type { RecallService } from "./recall-service.ts";
import { carryAnswer, createConverse, judgeAnswer, mayBeOverflow } from "./relay-conversation.ts";
import type { RecalledRound, Round } from "./round.ts";

const TOOL = "plimsoll_recall";
const TEXT = { type: "text", text: "Aye." };
const OWN = { type: "tool_use", id: "own", name: "Bash", input: {} };
const recall = (id: string) => ({ type: "tool_use", id, name: TOOL, input: { handle: id } });

const round = (blocks: readonly object[], stopReason = "tool_use", usage = { output_tokens: 1 }): Round => ({
  blocks: blocks.map((raw) => ({ raw: JSON.parse(JSON.stringify(raw)), bytes: Buffer.from(JSON.stringify(raw)) })),
  stopReason,
  usage,
});

function serve(isKept = true) {
  const kept: (readonly RecalledRound[])[] = [];
  const service: RecallService = {
    tool: TOOL,
    wire: messagesWire,
    answer: async ({ callId, input, at }) => ({
      ...{ at, callId, tool: TOOL, input, isError: false },
      parts: [{ kind: "text", text: `original of ${callId}` }],
    }),
    goOn: (messages) => messages.map((bytes) => Buffer.from(bytes)),
    async keep(rounds) {
      kept.push([...rounds]);
      return isKept;
    },
  };
  return { service, kept, converse: createConverse(service) };
}

const read = (messages: readonly Buffer[]): unknown => messages.map((bytes) => JSON.parse(String(bytes)));
const said = (text: string) => [{ type: "text", text }];
const resultOf = (id: string, text: string, isError = false) => ({
  ...{ type: "tool_result", tool_use_id: id, content: said(text), ...(isError ? { is_error: true } : {}) },
});

describe("a conversation that fetches back", () => {
  it("ends at once where nothing is asked back, and keeps nothing", async () => {
    const { converse, kept } = serve();
    expect(await converse.step(round([TEXT], "end_turn"))).toEqual({ kind: "end", ending: {} });
    expect(converse.delivery()).toEqual({
      usage: { output_tokens: 1 },
      first: { output_tokens: 1 },
      recalls: 0,
      isKept: true,
    });
    expect(kept).toEqual([]);
    expect(serve().converse.delivery()).toEqual({ usage: {}, first: {}, recalls: 0, isKept: true });
  });

  it("goes on with all that was asked back so far, adds up what it costs, and keeps it at its end", async () => {
    const { converse, kept } = serve(false);
    const first = await converse.step(round([TEXT, recall("a")], "tool_use", { output_tokens: 2 }));
    const one = [
      { role: "assistant", content: [TEXT, recall("a")] },
      { role: "user", content: [resultOf("a", "original of a")] },
    ];
    expect(first.kind === "goOn" && read(first.messages)).toMatchObject(one);
    const second = await converse.step(round([recall("b"), recall("c")], "tool_use", { output_tokens: 3 }));
    expect(second.kind === "goOn" && read(second.messages)).toMatchObject([
      ...one,
      { role: "assistant", content: [recall("b"), recall("c")] },
      { role: "user", content: [resultOf("b", "original of b"), resultOf("c", "original of c")] },
    ]);
    const last = await converse.step(round([TEXT], "end_turn", { output_tokens: 4 }));
    expect(last).toEqual({ kind: "end", ending: { usage: { output_tokens: 9 } } });
    expect(converse.delivery()).toEqual({
      usage: { output_tokens: 9 },
      first: { output_tokens: 2 },
      recalls: 3,
      isKept: false,
    });
    expect(kept.map((rounds) => rounds.map(({ calls }) => calls.map(({ callId }) => callId)))).toEqual([
      [["a"], ["b", "c"], []],
    ]);
  });

  it("tells the model what did not fit, in what goes on and in what is kept", async () => {
    const { converse, kept } = serve();
    await converse.step(round([recall("a")]));
    const second = await converse.step(round([recall("b")]));
    const words = "The result does not fit into this conversation: pass lines [from, to], a pattern, or fewer handles.";
    const shorter = second.kind === "goOn" ? read(second.shorter) : [];
    expect(shorter).toMatchObject([
      {},
      { content: [{ content: said("original of a") }] },
      {},
      { content: [{ content: said(words), is_error: true }] },
    ]);
    converse.shortened();
    const third = await converse.step(round([recall("c")]));
    expect(third.kind === "goOn" && read(third.messages)).toMatchObject([...(shorter as object[]), {}, {}]);
    await converse.step(round([TEXT], "end_turn"));
    expect(kept[0]?.map(({ calls }) => calls.map(({ isError, parts }) => [isError, parts]))).toEqual([
      [[false, [{ kind: "text", text: "original of a" }]]],
      [[true, [{ kind: "text", text: words }]]],
      [[false, [{ kind: "text", text: "original of c" }]]],
      [],
    ]);
  });

  it("ends where the client has calls of its own to answer, and keeps what was fetched next to them", async () => {
    const { converse, kept } = serve();
    expect(await converse.step(round([recall("a"), OWN]))).toEqual({ kind: "end", ending: {} });
    expect(kept[0]?.map(({ calls }) => calls.length)).toEqual([1]);
    expect(converse.delivery().recalls).toBe(1);
  });

  it("answers twelve times and no more: what is asked back then, the client does not see", async () => {
    const { converse } = serve();
    for (let at = 0; at < 12; at++) expect((await converse.step(round([recall(`r${at}`)]))).kind).toBe("goOn");
    const usage = { output_tokens: 13 };
    expect(await converse.step(round([recall("r12")]))).toEqual({
      kind: "end",
      ending: { usage, stopReason: "end_turn" },
    });
    expect(converse.delivery().recalls).toBe(12);
  });

  it("ends early without a word of ours where the model broke off in a call", async () => {
    expect(await serve().converse.step(round([recall("a")], "max_tokens"))).toEqual({ kind: "end", ending: {} });
  });
});

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body: string;
}

/** What the client hears of these answers, which the upstream gives one after the other. */
async function carry(answers: readonly Answer[]) {
  const left = [...answers];
  const asked: unknown[] = [];
  const { service, kept } = serve();
  const listen = async (handle: (incoming: IncomingMessage, response: ServerResponse) => void): Promise<string> => {
    const server = http.createServer(handle);
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const get = (url: string): Promise<IncomingMessage> => new Promise((resolve) => http.get(url, resolve));
  const upstream = await listen((_, response) => {
    const { status = 200, type = "application/json", body } = left.shift() ?? { status: 599, body: "" };
    response.writeHead(status, { "content-type": type, "x-number": String(left.length) }).end(body);
  });
  const outcome: unknown[] = [];
  const client = await listen((_, response) => {
    const carrier = {
      ...{ response, service },
      ask: (messages: readonly Buffer[]) => {
        asked.push(read(messages));
        return get(upstream);
      },
      relay: (answer: IncomingMessage, begun: readonly Buffer[]) =>
        response.writeHead(answer.statusCode ?? 0).end(Buffer.concat(begun)),
      fail: (words: string) => response.writeHead(502).end(words),
    };
    void get(upstream).then(async (first) => outcome.push(await carryAnswer(first, carrier)));
  });
  const heard = await get(client);
  const text = String(await buffer(heard));
  await expect.poll(() => outcome).toHaveLength(1);
  return { status: heard.statusCode, headers: heard.headers, text, delivery: outcome[0], asked, kept };
}

const whole = (content: readonly object[], stop_reason: string, id = "m1") => ({
  body: JSON.stringify({ id, type: "message", role: "assistant", content, stop_reason, usage: { output_tokens: 5 } }),
});
const refusal = {
  status: 400,
  body: JSON.stringify({ type: "error", error: { type: "invalid_request_error", message: "too long" } }),
};

describe("a whole answer", () => {
  it("is the very bytes of the upstream where nothing is asked back", async () => {
    const answer = { body: ` ${whole([TEXT], "end_turn").body} ` };
    const { status, headers, text, delivery } = await carry([answer]);
    expect([status, text, headers["content-length"], headers["x-number"]]).toEqual([
      200,
      answer.body,
      String(answer.body.length),
      "0",
    ]);
    expect(delivery).toMatchObject({ recalls: 0, isKept: true });
  });

  it("is one message of all that the client sees, with the first one's id and the sum of the usage", async () => {
    const { text, delivery, asked } = await carry([
      whole([TEXT, recall("a")], "tool_use"),
      whole([{ type: "text", text: "So." }], "end_turn", "m2"),
    ]);
    expect(JSON.parse(text)).toMatchObject({
      id: "m1",
      content: [TEXT, { type: "text", text: "So." }],
      stop_reason: "end_turn",
      usage: { output_tokens: 10 },
    });
    expect(delivery).toMatchObject({ recalls: 1, usage: { output_tokens: 10 }, first: { output_tokens: 5 } });
    expect(asked).toHaveLength(1);
  });

  it("goes on with less where the API says that it does not fit", async () => {
    const { text, asked, kept } = await carry([whole([recall("a")], "tool_use"), refusal, whole([TEXT], "end_turn")]);
    expect(JSON.parse(text).content).toEqual([TEXT]);
    expect(asked).toMatchObject([
      [{}, { content: [{ content: said("original of a") }] }],
      [{}, { content: [{ is_error: true }] }],
    ]);
    expect(kept[0]?.[0]?.calls[0]?.isError).toBe(true);
  });

  it.each<[string, readonly Answer[], number, RegExp]>([
    ["an error is passed on", [refusal], 400, /too long/],
    [
      "an error in the middle is passed on",
      [whole([recall("a")], "tool_use"), { ...refusal, status: 529 }],
      529,
      /too long/,
    ],
    ["what is no answer at all is passed on", [{ body: "planks" }], 200, /^planks$/],
    [
      "what does not go on is an error",
      [whole([recall("a")], "tool_use"), { body: "planks" }],
      502,
      /could not be read as a continuation/,
    ],
  ])("%s", async (_, answers, status, text) => {
    const carried = await carry(answers);
    expect([carried.status, carried.delivery]).toEqual([status, undefined]);
    expect(carried.text).toMatch(text);
  });
});

const stream = (content: readonly object[], stop_reason: string, id = "m1") => {
  const message = { id, type: "message", role: "assistant", content: [], usage: { input_tokens: 2, output_tokens: 1 } };
  const events = [
    { type: "message_start", message },
    ...content.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: block },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ];
  const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  return { type: "text/event-stream; charset=utf-8", body };
};

describe("a streamed answer", () => {
  it("is one message of all that the client sees", async () => {
    const { text, status, headers, delivery } = await carry([
      stream([TEXT, recall("a")], "tool_use"),
      stream([OWN], "tool_use", "m2"),
    ]);
    const made = assembleMessage(parseFrames(text));
    expect(made).toMatchObject({ id: "m1", content: [TEXT, OWN], stop_reason: "tool_use" });
    expect([status, headers["x-number"], headers["content-length"]]).toEqual([200, "1", undefined]);
    expect(delivery).toMatchObject({ recalls: 1, isKept: true });
  });

  it.each<[string, Answer, RegExp]>([
    ["the API's own error", { ...refusal, status: 529 }, /event: error\ndata: .*"invalid_request_error".*"too long"/],
    [
      "an answer of another kind",
      whole([TEXT], "end_turn"),
      /event: error\ndata: .*the upstream answered 200 application\/json"/,
    ],
    [
      "an error without words",
      { status: 500, type: "text/plain", body: "x" },
      /the upstream answered 500 text\/plain"/,
    ],
  ])("ends with %s where it does not go on", async (_, answer, words) => {
    const { text } = await carry([stream([recall("a")], "tool_use"), answer]);
    expect(text).toMatch(words);
  });

  it("that ends in the middle ends there for the client, too", async () => {
    const broken = stream([TEXT], "end_turn").body.split("event: message_delta")[0] ?? "";
    const { text, delivery } = await carry([{ type: "text/event-stream", body: broken }]);
    expect(text).toBe(broken);
    expect(delivery).toMatchObject({ recalls: 0 });
  });
});

describe("an upstream's answer", () => {
  const answer = (statusCode: number, headers: Readonly<Record<string, string>> = {}) =>
    ({ statusCode, headers }) as unknown as IncomingMessage;

  it.each<[number, string | undefined, string | undefined, "read" | "none" | "unreadable"]>([
    [200, undefined, undefined, "read"],
    [200, "application/json; charset=utf-8", "gzip", "read"],
    [200, "text/event-stream", undefined, "read"],
    [200, "application/vnd.api+json", "", "read"],
    [200, "text/json", "compress", "unreadable"],
    [200, "text/html", undefined, "none"],
    [201, "application/json", undefined, "none"],
    [529, "application/json", undefined, "none"],
  ])("of status %i, type %s and coding %s: %s", (status, type, coding, verdict) => {
    const headers = {
      ...(type === undefined ? {} : { "content-type": type }),
      ...(coding === undefined ? {} : { "content-encoding": coding }),
    };
    expect(judgeAnswer(answer(status, headers))).toBe(verdict);
  });

  it("may say that a request does not fit by three of its statuses", () => {
    expect([200, 400, 401, 413, 422, 429, 500].filter((status) => mayBeOverflow(answer(status)))).toEqual([
      400, 413, 422,
    ]);
  });
});
