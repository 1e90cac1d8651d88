import type { IncomingMessage, ServerResponse } from "node:http";
import type { JsonObject } from "../../../core/json.ts";
import { createSseParser } from "../../../library/stream/sse-frames.ts";
import { decodeBody, isDecodable, openDecoded } from "../http/decode-body.ts";
import { filterHeaders } from "../http/filter-headers.ts";
import { readSome } from "../http/read-some.ts";
import { isParsedObject, parseJson } from "../parse-json.ts";
import type { AnswerStream } from "./answer-stream.ts";
import { type Converse, createConverse, type Step } from "./converse.ts";
import type { RecallService } from "./recall-service.ts";
import { listShown, type Round } from "./round.ts";

/** How an answer is brought to the client. */
export interface Carrier {
  readonly response: ServerResponse;
  readonly service: RecallService;
  /** One more request upstream; rejects where the client has gone, or where there is no upstream any more. */
  ask(messages: readonly Buffer[]): Promise<IncomingMessage>;
  /** Hands an answer on as it came. */
  relay(answer: IncomingMessage, begun: readonly Buffer[]): void;
  /** Says what went wrong, where nothing was said to the client yet. */
  fail(words: string): void;
}

export interface Carried {
  readonly usage: JsonObject;
  readonly first: JsonObject;
  readonly recalls: number;
  readonly isKept: boolean;
}

/** A whole answer that is larger is passed on unread: it has no more than a few hundred thousand characters. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Headers that are about the bytes as the upstream sent them: the client gets them decoded, and others beside them. */
const OF_THE_BYTES = ["content-length", "content-encoding"];
const NO_ANSWER = "the upstream answered the rest of this answer with something that is none";
const OVERFLOW_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

/**
 * Whether calls are looked for in an answer, cannot be in it, or may be in it although nobody here can read it. Bytes that need no
 * decoding were asked for, which some upstreams do not heed.
 */
export function judgeAnswer({ statusCode = 0, headers }: IncomingMessage): "read" | "none" | "unreadable" {
  const type = headers["content-type"] ?? "application/json";
  if (statusCode !== 200 || !/^\s*(?:text\/event-stream|(?:application|text)\/(?:[\w.-]+\+)?json)/i.test(type))
    return "none";
  return isDecodable(headers["content-encoding"] ?? "") ? "read" : "unreadable";
}

function isEventStream({ headers }: IncomingMessage): boolean {
  return /^\s*text\/event-stream/i.test(headers["content-type"] ?? "");
}

/**
 * Brings an answer to the client, with calls of `recall` answered on the way. `undefined` where it was handed on as it came, and is
 * accounted for elsewhere. Rejects where the upstream broke off.
 */
export async function carryAnswer(answer: IncomingMessage, carrier: Carrier): Promise<Carried | undefined> {
  return isEventStream(answer) ? carryStream(answer, carrier) : carryWhole(answer, carrier);
}

async function carryStream(first: IncomingMessage, carrier: Carrier): Promise<Carried> {
  const { response, service } = carrier;
  const { answers } = service.wire;
  const stream = answers.createStream(service.tool);
  const converse = createConverse(service);
  response.sendDate = false;
  response.writeHead(200, first.statusMessage, [...filterHeaders(first.rawHeaders, OF_THE_BYTES)]);
  setImmediate(() => response.flushHeaders());
  let firstUsage: JsonObject | undefined;
  for (let answer = first; ; ) {
    const round = await readRound(answer, stream, response);
    if (!round) {
      // The upstream ended it so: whatever it means by that, the client hears it in the same way.
      for (const bytes of stream.giveUp()) response.write(bytes);
      break;
    }
    firstUsage ??= round.usage;
    const step = await converse.step(round);
    if (step.kind === "end") {
      for (const bytes of stream.close(step)) response.write(bytes);
      break;
    }
    const next = await askOn(step, converse, carrier);
    if (judgeAnswer(next) !== "read" || !isEventStream(next)) {
      // In the middle of a stream this is how the API itself tells what went wrong.
      const { statusCode = 0, headers } = next;
      const words = `the upstream answered ${statusCode} ${headers["content-type"] ?? ""}`.trim();
      const failure = answers.renderFailure(words, statusCode === 200 ? undefined : await readError(next));
      next.destroy();
      response.write(`event: ${failure.type}\ndata: ${JSON.stringify(failure)}\n\n`);
      break;
    }
    answer = next;
  }
  response.end();
  return { usage: converse.usage(), first: firstUsage ?? {}, recalls: converse.recalls(), isKept: converse.isKept() };
}

async function readRound(
  answer: IncomingMessage,
  stream: AnswerStream,
  response: ServerResponse,
): Promise<Round | undefined> {
  const parser = createSseParser();
  const write = async (frames: ReturnType<typeof parser.feed>): Promise<void> => {
    for (const bytes of frames.flatMap(stream.take))
      if (!response.write(bytes) && !response.destroyed) await drained(response);
  };
  const body = openDecoded(answer, answer.headers["content-encoding"] ?? "");
  for await (const chunk of body) await write(parser.feed(chunk));
  await write(parser.flush());
  return stream.endRound();
}

/** A slow client slows the upstream down. One that has gone is told of by its own event. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.once("drain", done);
    response.once("close", done);
  });
}

async function carryWhole(first: IncomingMessage, carrier: Carrier): Promise<Carried | undefined> {
  const { response, service } = carrier;
  const { answers } = service.wire;
  const converse = createConverse(service);
  const shown: Buffer[] = [];
  let opening: { readonly bytes: Buffer; readonly usage: JsonObject } | undefined;
  for (let answer = first; ; ) {
    const begun = await readSome(answer, MAX_BYTES);
    const message = await decodeBody(Buffer.concat(begun), answer.headers["content-encoding"] ?? "", MAX_BYTES);
    const round = message && answer.statusCode === 200 ? answers.parse(message) : undefined;
    if (!message || !round) {
      // An error of the API is the client's to hear; anything else in the place of the rest of an answer is none.
      if (opening && answer.statusCode === 200) carrier.fail(NO_ANSWER);
      else carrier.relay(answer, begun);
      return undefined;
    }
    opening ??= { bytes: message, usage: round.usage };
    const seen = listShown(round, service.tool);
    shown.push(...seen.map(({ bytes }) => bytes));
    const step = await converse.step(round);
    if (step.kind === "goOn") {
      answer = await askOn(step, converse, carrier);
      continue;
    }
    const isPlain = opening.bytes === message && seen.length === round.blocks.length;
    const { kind: _kind, ...ending } = step;
    sendBytes(
      response,
      answer,
      isPlain ? message : answers.render(message, { first: opening.bytes, shown, ...ending }),
    );
    return { usage: converse.usage(), first: opening.usage, recalls: converse.recalls(), isKept: converse.isKept() };
  }
}

function sendBytes(response: ServerResponse, answer: IncomingMessage, bytes: Buffer): void {
  response.sendDate = false;
  const headers = [...filterHeaders(answer.rawHeaders, OF_THE_BYTES), "Content-Length", String(bytes.length)];
  response.writeHead(200, answer.statusMessage, headers).end(bytes);
}

/** Where the results did not fit, the model is told so and may ask for less. */
async function askOn(
  { messages, shorter }: Extract<Step, { kind: "goOn" }>,
  converse: Converse,
  { ask }: Carrier,
): Promise<IncomingMessage> {
  const answer = await ask(messages);
  if (!OVERFLOW_STATUSES.has(answer.statusCode ?? 0)) return answer;
  answer.resume();
  converse.shortened();
  return ask(shorter);
}

async function readError(answer: IncomingMessage): Promise<JsonObject | undefined> {
  const bytes = Buffer.concat(await readSome(answer, MAX_BYTES));
  const text = await decodeBody(bytes, answer.headers["content-encoding"] ?? "", MAX_BYTES);
  const told = parseJson(text?.toString("utf8") ?? "");
  return isParsedObject(told) ? told : undefined;
}
