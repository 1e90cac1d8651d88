import type { IncomingMessage, ServerResponse } from "node:http";
import { isObject, type JsonObject, parseJson } from "../../../core/json.ts";
import { createSseParser } from "../../../library/stream/sse-frames.ts";
import { isDecodable, openDecoded } from "../http/decode-body.ts";
import { filterHeaders } from "../http/filter-headers.ts";
import { readDecoded } from "../http/read-body.ts";
import { upstreamErrors } from "../http/relay-answer.ts";
import type { AnswerStream } from "./answer-stream.ts";
import { describeRound, type RecallService, renderRound } from "./recall-service.ts";
import {
  addRoundUsage,
  type Ending,
  hasOwnCall,
  listAsked,
  listShown,
  PLAIN_STOP,
  type RecalledCall,
  type RecalledRound,
  type Round,
} from "./round.ts";

interface Carrier {
  readonly response: ServerResponse;
  readonly service: RecallService;
  /** Sends one more request upstream; rejects if the client or the upstream has gone. */
  ask(messages: readonly Buffer[]): Promise<IncomingMessage>;
  relay(answer: IncomingMessage, begun: readonly Buffer[]): void;
  /** Sends an error, if nothing was sent to the client yet. */
  fail(words: string): void;
}

/** What became of an answer: the usage of all its requests and of the first, and what was fetched back. */
interface Delivery {
  readonly usage: JsonObject;
  readonly first: JsonObject;
  readonly recalls: number;
  /** What was fetched will be in later requests. */
  readonly isKept: boolean;
}

/** A larger answer is passed on unread: an answer has no more than a few hundred thousand characters. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Headers about the upstream's bytes: the client gets them decoded, and with others added. */
const OF_THE_BYTES = ["content-length", "content-encoding"];
const NO_ANSWER = "the upstream's reply could not be read as a continuation of this answer";

/** Whether an API may say with this answer that the request does not fit. */
export function mayBeOverflow({ statusCode = 0 }: IncomingMessage): boolean {
  return [400, 413, 422].includes(statusCode);
}

/** Whether an answer is searched for calls, has none, or cannot be decoded: uncompressed ones were requested, which some upstreams ignore. */
export function judgeAnswer({ statusCode = 0, headers }: IncomingMessage): "read" | "none" | "unreadable" {
  const type = headers["content-type"] ?? "application/json";
  if (statusCode !== 200 || !/^\s*(?:text\/event-stream|(?:application|text)\/(?:[\w.-]+\+)?json)/i.test(type))
    return "none";
  return isDecodable(headers["content-encoding"] ?? "") ? "read" : "unreadable";
}

function isEventStream({ headers }: IncomingMessage): boolean {
  return /^\s*text\/event-stream/i.test(headers["content-type"] ?? "");
}

/** Answers `recall` calls on the way to the client. `undefined` if the answer was passed on unchanged. Rejects if the upstream broke off. */
export async function carryAnswer(answer: IncomingMessage, carrier: Carrier): Promise<Delivery | undefined> {
  return isEventStream(answer) ? carryStream(answer, carrier) : carryWhole(answer, carrier);
}

async function carryStream(first: IncomingMessage, carrier: Carrier): Promise<Delivery> {
  const { response, service } = carrier;
  const { answers } = service.wire;
  const stream = answers.createStream(service.tool);
  const converse = createConverse(service);
  response.sendDate = false;
  response.writeHead(200, first.statusMessage, [...filterHeaders(first.rawHeaders, OF_THE_BYTES)]);
  setImmediate(() => response.flushHeaders());
  for (let answer = first; ; ) {
    const round = await readRound(answer, stream, response);
    if (!round) {
      // The upstream ended it like this, so the client sees the same end.
      for (const bytes of stream.giveUp()) response.write(bytes);
      break;
    }
    const step = await converse.step(round);
    if (step.kind === "end") {
      for (const bytes of stream.close(step.ending)) response.write(bytes);
      break;
    }
    const next = await askOn(step, converse, carrier);
    if (judgeAnswer(next) !== "read" || !isEventStream(next)) {
      // In the middle of a stream, this is how the API itself reports an error.
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
  return converse.delivery();
}

async function readRound(answer: IncomingMessage, stream: AnswerStream, response: ServerResponse) {
  const parser = createSseParser();
  const write = async (frames: ReturnType<typeof parser.feed>): Promise<void> => {
    for (const bytes of frames.flatMap(stream.take))
      if (!response.write(bytes) && !response.destroyed) await drained(response);
  };
  const body = openDecoded(answer, answer.headers["content-encoding"] ?? "");
  body.once("error", (error) => upstreamErrors.add(error));
  for await (const chunk of body) await write(parser.feed(chunk));
  await write(parser.flush());
  return stream.endRound();
}

/** A slow client slows the upstream down. If the client leaves, its own event reports that. */
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

async function carryWhole(first: IncomingMessage, carrier: Carrier): Promise<Delivery | undefined> {
  const { response, service } = carrier;
  const { answers } = service.wire;
  const converse = createConverse(service);
  const shown: Buffer[] = [];
  let opening: Buffer | undefined;
  for (let answer = first; ; ) {
    const { begun, decoded: message } = await readDecoded(answer, MAX_BYTES);
    const round = message && answer.statusCode === 200 ? answers.parse(message) : undefined;
    if (!message || !round) {
      // An API error goes to the client. Anything else in place of the rest of an answer is no valid answer.
      if (opening && answer.statusCode === 200) carrier.fail(NO_ANSWER);
      else carrier.relay(answer, begun);
      return undefined;
    }
    opening ??= message;
    const seen = listShown(round, service.tool);
    shown.push(...seen.map(({ bytes }) => bytes));
    const step = await converse.step(round);
    if (step.kind === "goOn") {
      answer = await askOn(step, converse, carrier);
      continue;
    }
    const isPlain = opening === message && seen.length === round.blocks.length;
    const bytes = isPlain ? message : answers.render(message, { first: opening, shown, ...step.ending });
    const headers = [...filterHeaders(answer.rawHeaders, OF_THE_BYTES), "Content-Length", String(bytes.length)];
    response.sendDate = false;
    response.writeHead(200, answer.statusMessage, headers).end(bytes);
    return converse.delivery();
  }
}

/** If the results did not fit, the model is told so and may ask for less. */
async function askOn({ messages, shorter }: GoingOn, converse: Converse, { ask }: Carrier): Promise<IncomingMessage> {
  const answer = await ask(messages);
  if (!mayBeOverflow(answer)) return answer;
  answer.resume();
  converse.shortened();
  return ask(shorter);
}

async function readError(answer: IncomingMessage): Promise<JsonObject | undefined> {
  const { decoded } = await readDecoded(answer, MAX_BYTES);
  const parsed = parseJson(decoded?.toString("utf8") ?? "");
  return isObject(parsed) ? parsed : undefined;
}

interface GoingOn {
  readonly kind: "goOn";
  /** Everything behind the client's own messages, as it is sent. */
  readonly messages: readonly Buffer[];
  /** The same for the case that the results did not fit. */
  readonly shorter: readonly Buffer[];
}

type Step = GoingOn | { readonly kind: "end"; readonly ending: Ending };

interface Converse {
  step(round: Round): Promise<Step>;
  shortened(): void;
  delivery(): Delivery;
}

/** After this many calls in one answer the model continues with what it has. */
const MAX_ROUNDS = 12;

const NO_ROOM = "The result does not fit into this conversation: pass lines [from, to], a pattern, or fewer handles.";

/** Answers `recall` calls until the model is done or the client has calls of its own to answer. */
export function createConverse(service: RecallService): Converse {
  const { tool } = service;
  const rounds: RecalledRound[] = [];
  let messages: readonly Buffer[] = [];
  let shorter: readonly Buffer[] = [];
  let first: JsonObject | undefined;
  let usage: JsonObject = {};
  let count = 0;
  let recalls = 0;
  let isKept = true;

  const end = async (round: Round, calls: readonly RecalledCall[]): Promise<Step> => {
    const isCut = listShown(round, tool).length < round.blocks.length;
    const isHeldBack = isCut && round.stopReason === "tool_use" && !hasOwnCall(round, tool);
    rounds.push(describeRound(round, service, calls));
    if (rounds.some((each) => each.calls.length > 0)) isKept = await service.keep(rounds);
    return {
      kind: "end",
      ending: { ...(count > 1 ? { usage } : {}), ...(isHeldBack ? { stopReason: PLAIN_STOP } : {}) },
    };
  };

  return {
    delivery: () => ({ usage, first: first ?? {}, recalls, isKept }),
    shortened() {
      messages = shorter;
      const last = rounds.at(-1);
      if (last) rounds[rounds.length - 1] = { ...last, calls: last.calls.map(shorten) };
    },
    async step(round) {
      usage = first ? addRoundUsage(usage, round.usage) : round.usage;
      first ??= round.usage;
      count++;
      const asked = count > MAX_ROUNDS ? [] : listAsked(round, tool);
      if (asked.length === 0) return end(round, []);
      recalls += asked.length;
      const calls = await Promise.all(asked.map(service.answer));
      if (hasOwnCall(round, tool)) return end(round, calls);
      rounds.push(describeRound(round, service, calls));
      shorter = [...messages, ...renderRound(round, service, calls.map(shorten))];
      messages = [...messages, ...renderRound(round, service, calls)];
      return { kind: "goOn", messages, shorter };
    },
  };
}

function shorten(call: RecalledCall): RecalledCall {
  return { ...call, parts: [{ kind: "text", text: NO_ROOM }], isError: true };
}
