import type { IncomingMessage, ServerResponse } from "node:http";
import type { JsonObject } from "../../../core/json.ts";
import { createSseParser } from "../../../library/stream/sse-frames.ts";
import type { WireMessage } from "../../../wire/conversation.ts";
import { isJsonObject } from "../../../wire/is-json.ts";
import { decodeBody } from "../http/decode-body.ts";
import { filterHeaders } from "../http/filter-headers.ts";
import { readSome } from "../http/read-some.ts";
import { parseJson } from "../parse-json.ts";
import type { AnswerStream } from "./answer-stream.ts";
import { type Converse, createConverse, type Step } from "./converse.ts";
import type { RecallService } from "./recall-service.ts";
import { listShown, type Round } from "./round.ts";

/** How an answer is brought to the client. */
export interface Carrier {
  readonly response: ServerResponse;
  readonly service: RecallService;
  /** One more request upstream; rejects where the client has gone, or where there is no upstream any more. */
  ask(messages: readonly WireMessage[]): Promise<IncomingMessage>;
  /** Hands an answer on as it came. */
  relay(answer: IncomingMessage, begun: readonly Buffer[]): void;
}

export interface Carried {
  readonly usage: JsonObject;
  readonly first: JsonObject;
  readonly recalls: number;
  readonly isKept: boolean;
}

/** A whole answer that is larger is passed on unread: it has no more than a few hundred thousand characters. */
const MAX_BYTES = 32 * 1024 * 1024;
const OVERFLOW_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

/** Whether calls can be looked for in it. Nothing else was asked for than bytes that can be read as they are. */
export function isReadable({ statusCode = 0, headers }: IncomingMessage): boolean {
  const encoding = headers["content-encoding"] ?? "identity";
  const type = headers["content-type"] ?? "";
  return statusCode === 200 && encoding === "identity" && /^(?:text\/event-stream|application\/json)/.test(type);
}

/**
 * Brings an answer to the client, with calls of `recall` answered on the way. `undefined` where it was handed on as it came, and is
 * accounted for elsewhere. Rejects where the upstream broke off.
 */
export async function carryAnswer(answer: IncomingMessage, carrier: Carrier): Promise<Carried | undefined> {
  return answer.headers["content-type"]?.startsWith("text/event-stream")
    ? carryStream(answer, carrier)
    : carryWhole(answer, carrier);
}

async function carryStream(first: IncomingMessage, carrier: Carrier): Promise<Carried> {
  const { response, service } = carrier;
  const { answers } = service.wire;
  const stream = answers.createStream(service.tool);
  const converse = createConverse(service);
  response.sendDate = false;
  response.writeHead(200, first.statusMessage, [...filterHeaders(first.rawHeaders, ["content-length"])]);
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
      for (const bytes of stream.close(step.isPlain ? undefined : step)) response.write(bytes);
      break;
    }
    const next = await askOn(step, converse, carrier);
    if (next.statusCode !== 200) {
      // In the middle of a stream this is how the API itself tells what went wrong.
      const failure = answers.renderFailure(next.statusCode ?? 0, await readError(next));
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
  for await (const chunk of answer) await write(parser.feed(chunk));
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
  const shown: JsonObject[] = [];
  let opening: JsonObject | undefined;
  for (let answer = first; ; ) {
    const begun = await readSome(answer, MAX_BYTES);
    const message = parseJson(Buffer.concat(begun).toString("utf8"));
    const round = isJsonObject(message) ? answers.parse(message) : undefined;
    if (!isJsonObject(message) || !round || answer.statusCode !== 200) {
      carrier.relay(answer, begun);
      return undefined;
    }
    opening ??= message;
    shown.push(...listShown(round, service.tool));
    const step = await converse.step(round);
    if (step.kind === "goOn") {
      answer = await askOn(step, converse, carrier);
      continue;
    }
    if (step.isPlain && shown.length === round.blocks.length) sendBytes(response, answer, Buffer.concat(begun));
    else {
      const { usage, stopReason } = step;
      const whole = answers.render(message, { first: opening, shown, stopReason, usage });
      sendBytes(response, answer, Buffer.from(JSON.stringify(whole)));
    }
    const { usage: firstUsage } = opening;
    const told = isJsonObject(firstUsage) ? firstUsage : {};
    return { usage: converse.usage(), first: told, recalls: converse.recalls(), isKept: converse.isKept() };
  }
}

function sendBytes(response: ServerResponse, answer: IncomingMessage, bytes: Buffer): void {
  response.sendDate = false;
  const headers = [...filterHeaders(answer.rawHeaders, ["content-length"]), "Content-Length", String(bytes.length)];
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
  return isJsonObject(told) ? told : undefined;
}
