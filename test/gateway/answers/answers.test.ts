/** If red: an answer reaches the client with other bytes than the model sent. */
import zlib from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../support/depth.ts";
import { openGateway } from "../open-gateway.ts";
import { openRawApi } from "../raw-api.ts";
import { renderConversation, writeDocument } from "./long-conversation.ts";
import { oddObject, oddValue } from "./odd-json.ts";
import {
  type AnswerWriter,
  type Api,
  messagesWriter,
  type RawBlock,
  type RawRound,
  responsesWriter,
  type Style,
  sumUsage,
} from "./raw-answer.ts";

const RECALL = "plimsoll_recall";
const WRITERS: Readonly<Record<Api, AnswerWriter>> = { messages: messagesWriter, responses: responsesWriter };
const PACKERS = {
  identity: (bytes: Buffer) => bytes,
  gzip: zlib.gzipSync,
  br: zlib.brotliCompressSync,
  deflate: zlib.deflateSync,
} as const;

interface Case {
  readonly api: Api;
  readonly isStream: boolean;
  readonly coding: keyof typeof PACKERS;
  readonly pieceBytes: number;
  readonly style: Style;
  readonly rounds: readonly RawRound[];
}

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 });
const words: fc.Arbitrary<RawBlock> = fc.record({ kind: fc.constant("text"), text, odd: oddValue });
const call = (name: string, input: fc.Arbitrary<string>): fc.Arbitrary<RawBlock> =>
  fc.record({
    kind: fc.constant("call"),
    id: fc.constantFrom("call_0", "call_1", "toolu_x"),
    name: fc.constant(name),
    input,
    odd: oddValue,
    isEarly: fc.boolean(),
  });
/** By a handle that is there, or by one that nothing is kept under. */
const asked = call(
  RECALL,
  fc.constantFrom('{"handle":"@handle@"}', '{ "page":1 ,"handle":"@handle@"}', '{"handle":"plimsoll:000000000000"}'),
).map((block): RawBlock => (block.kind === "call" ? { ...block, id: "call_back" } : block));
const own = call("load_document", oddObject);

const asking: fc.Arbitrary<RawRound> = fc
  .tuple(fc.array(words, { maxLength: 2 }), asked, fc.array(words, { maxLength: 1 }), oddValue)
  .map(([before, one, after, odd]) => ({ blocks: [...before, one, ...after], stop: "tool_use", odd }));
const ending: fc.Arbitrary<RawRound> = fc
  .tuple(fc.array(words, { maxLength: 2 }), fc.array(own, { maxLength: 2 }), fc.option(asked), oddValue)
  .map(([said, calls, back, odd]): RawRound => {
    if (calls.length === 0) return { blocks: said, stop: odd === "null" ? "max_tokens" : "end_turn", odd };
    return { blocks: [...said, ...(back ? [back] : []), ...calls], stop: "tool_use", odd };
  });

const cases: fc.Arbitrary<Case> = fc.record({
  api: fc.constantFrom("messages", "responses"),
  isStream: fc.boolean(),
  coding: fc.constantFrom("identity", "identity", "gzip", "br", "deflate"),
  pieceBytes: fc.constantFrom(13, 400, 4_000),
  style: fc.record({ lineEnd: fc.constantFrom("\n", "\r\n"), gap: fc.constantFrom("", " ") }),
  rounds: fc.tuple(fc.array(asking, { maxLength: 2 }), ending).map(([before, last]) => [...before, last]),
});

/** What a round is called upstream. */
const idOf = (index: number): string => `msg_${index}`;

/** The upstream's answer to one request, as its bytes. */
function writeRound({ api, isStream, style, rounds }: Case, index: number, handle: string): Buffer {
  const writer = WRITERS[api];
  const round = rounds[index] ?? { blocks: [], stop: "end_turn", odd: "null" };
  const written = { id: idOf(index), usage: sumUsage(1, api), style };
  const blocks = round.blocks.map((block) => fill(block, handle));
  const texts = blocks.map(writer.block);
  if (!isStream) return Buffer.from(writer.whole(round, `[ ${texts.join(" , ")}]`, written));
  let number = 1;
  const next = (): number => number++;
  const frames = blocks.flatMap((block, at) => writer.frames(block, { index: at, next }, written));
  return Buffer.from(
    [...writer.begin(written), ...frames, ...writer.end(round, { next, blocks: texts }, written)].join(""),
  );
}

/** What the client is to get: every block that is its own, byte for byte, numbered through. */
function writeExpected(one: Case): Buffer {
  const { api, isStream, style, rounds } = one;
  const isHidden = rounds.some(({ blocks }) => blocks.some(isAsked));
  if (!isHidden) return writeRound(one, 0, "");
  const writer = WRITERS[api];
  const usage = sumUsage(rounds.length, api);
  const last = rounds.at(-1);
  if (!last) throw new Error("there is no answer");
  const written = { id: idOf(0), usage, style };
  const shown = rounds.flatMap(({ blocks }) => blocks.filter((block) => !isAsked(block)));
  const texts = shown.map(writer.block);
  if (!isStream) return Buffer.from(writer.whole(last, `[${texts.join(",")}]`, written));
  let number = 1;
  let index = 0;
  const next = (): number => number++;
  const frames = shown.flatMap((block) => writer.frames(block, { index: index++, next }, written));
  return Buffer.from(
    [...writer.begin(written), ...frames, ...writer.end(last, { next, blocks: texts }, written)].join(""),
  );
}

function isAsked(block: RawBlock): boolean {
  return block.kind === "call" && block.name === RECALL;
}

function fill(block: RawBlock, handle: string): RawBlock {
  return block.kind === "call" ? { ...block, input: block.input.replace("@handle@", handle) } : block;
}

/** The numbers of events may have gaps; that they grow is checked apart. */
function withoutNumbers(bytes: Buffer): string {
  return bytes.toString("utf8").replaceAll(/"sequence_number":\d+/g, "");
}

describe("a model's answer", () => {
  it("reaches the client with its bytes, whatever JSON is in it, streamed or whole, packed or not, with and without recalls", async () => {
    const running = new Map<string, { readonly one: Case; asked: number }>();
    const api = await openRawApi((request, response) => {
      const state = running.get(String(request.headers["x-case"]));
      if (!state) return void response.writeHead(500).end();
      const { one } = state;
      const handle = /plimsoll:[0-9a-f]{12}/.exec(request.body.toString("utf8"))?.[0] ?? "";
      const body = PACKERS[one.coding](writeRound(one, state.asked++, handle));
      const headers = one.coding === "identity" ? {} : { "content-encoding": one.coding };
      const type = one.isStream ? "text/event-stream; charset=utf-8" : "application/json";
      response.writeHead(200, { "content-type": type, ...headers });
      for (let at = 0; at < body.length; at += one.pieceBytes) response.write(body.subarray(at, at + one.pieceBytes));
      response.end();
    });
    const gateway = await openGateway(api.url);
    const conversations = (["messages", "responses"] as const).map((kind) =>
      [false, true].map((isStream) =>
        renderConversation(kind, [{ said: ["I load it."], callId: "call_0", result: writeDocument("sesame", 1) }], {
          isStream,
          prompt: "What does clause 17.4 say?",
        }),
      ),
    );
    let count = 0;
    let recalls = 0;
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        const name = `case-${count++}`;
        running.set(name, { one, asked: 0 });
        const body = conversations[one.api === "messages" ? 0 : 1]?.[one.isStream ? 1 : 0] ?? "";
        const response = await fetch(`${gateway.url}/v1/${one.api}`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-case": name },
          body,
        });
        const heard = Buffer.from(await response.arrayBuffer());
        expect(heard.includes(RECALL)).toBe(false);
        expect(withoutNumbers(heard)).toBe(withoutNumbers(writeExpected(one)));
        const numbers = [...heard.toString().matchAll(/"sequence_number":(\d+)/g)].map(([, digits]) => Number(digits));
        expect(numbers).toEqual([...new Set(numbers)].sort((left, right) => left - right));
        expect(running.get(name)?.asked).toBe(one.rounds.length);
        recalls += one.rounds.flatMap(({ blocks }) => blocks.filter(isAsked)).length;
      }),
      { numRuns: tries(60, 400) },
    );
    // The tool was there to be called: nothing of this is true only because nothing happened.
    expect(gateway.totals().recalls).toBe(recalls);
  });

  it("is asked for again as the client wrote it where it comes in a coding that nobody here can read", async () => {
    const api = await openRawApi((_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "rot13" });
      response.end("unreadable");
    });
    const gateway = await openGateway(api.url);
    const exchange = { said: ["I load it."], callId: "call_0", result: writeDocument("sesame", 1) };
    const body = renderConversation("messages", [exchange], { isStream: false, prompt: "So?" });
    const response = await fetch(`${gateway.url}/v1/messages`, { method: "POST", body });
    expect([response.headers.get("content-encoding"), await response.text()]).toEqual(["rot13", "unreadable"]);
    expect(api.requests.map((request) => request.body.includes(RECALL))).toEqual([true, false]);
    expect(api.requests[1]?.body.toString()).toBe(body);
  });
});
