import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import type { JsonObject } from "../../core/json.ts";
import type { Usage } from "../../core/usage.ts";
import { type Account, createAccount, type GatewayContext, type MessageCall } from "./exchange.ts";
import { guard, sendError } from "./http/answer.ts";
import { gather } from "./http/body-pool.ts";
import { decodeBody, isPlain } from "./http/decode-body.ts";
import { filterHeaders } from "./http/filter-headers.ts";
import { BodyError, readBody, readDecoded } from "./http/read-body.ts";
import { awaitAnswer, countFailure, failOutgoing, relayAnswer } from "./http/relay-answer.ts";
import { createUsageWatch } from "./http/watch-usage.ts";
import { createAhead, createUnchanged, type Prepared } from "./prepared.ts";
import type { Unread } from "./reader.ts";
import type { RecallService } from "./recall/recall-service.ts";
import { carryAnswer, judgeAnswer, mayBeOverflow } from "./recall/relay-conversation.ts";
import { UnexpandedError, type Wire } from "./wire.ts";

/** Handles a message or a token count: reads it, makes it lighter if that pays, and sends it. */
export async function handleMessages(call: MessageCall, context: GatewayContext): Promise<void> {
  try {
    const bytes = await readBody(call.incoming, context);
    context.sweep.read(bytes.length);
    await handleBody(bytes, call, context).finally(() => context.pool.release(bytes));
  } catch (error) {
    refuse(call.response, error, context);
  }
}

function refuse(response: ServerResponse, error: unknown, { metrics, maxBodyBytes }: GatewayContext): void {
  if (error instanceof UnexpandedError) {
    metrics.add("incidents", 'cause="store"');
    const why = "the compacted conversation cannot be read now: try again in a moment";
    sendError(response, 503, why, { "retry-after": 1 });
  } else if (!(error instanceof BodyError)) {
    metrics.add("refused", 'why="fault"');
    sendError(response, 502, "the request could not be read");
  } else if (error.code === "aborted") {
    // A client that leaves in the middle of a body is no fault of ours.
    metrics.add("client_aborts");
  } else {
    const { code, retryAfterSeconds } = error;
    metrics.add("refused", `why="${code}"`);
    // The rest of the body is not read, so the connection is closed as well.
    const close = { connection: "close" };
    const tooLarge = `the request body is larger than ${Math.floor(maxBodyBytes / 1e6)} MB`;
    if (code === "body") sendError(response, 413, tooLarge, close);
    else
      sendError(response, 503, `${FULL[code]}: try again in a moment`, { ...close, "retry-after": retryAfterSeconds });
  }
}

const FULL = {
  memory: "there is not enough free memory for this request body",
  busy: "too many requests are waiting",
} as const;

async function handleBody(bytes: Buffer, call: MessageCall, context: GatewayContext): Promise<void> {
  const { response } = call;
  const { decoded, prepared } = await readRequest(bytes, call, context);
  const account = createAccount(call, prepared, decoded.length, context);
  // The client left while we decided: an answer that no one reads should not be paid for.
  if (response.destroyed) {
    context.metrics.add("client_aborts");
    return account.close(0, undefined);
  }
  const answer = prepared.isCompaction && context.compaction === "answer" ? await prepared.compact() : undefined;
  if (!answer) {
    const exchange = { ...call, context, account, bytes, decoded, prepared };
    return exchangeAnswer(exchange).catch((error: Error) => fail(exchange, error, response.headersSent ? 200 : 0));
  }
  context.metrics.add("compactions_answered");
  const { contentType, body } = answer;
  response.writeHead(200, { "content-type": contentType, "content-length": body.length }).end(body);
  account.close(200, undefined);
}

type ReadRequest = Pick<Exchange, "decoded" | "prepared">;

/** Decodes, parses and decides, each once there is room for it. A body without room is sent unchanged. */
async function readRequest(bytes: Buffer, call: MessageCall, context: GatewayContext): Promise<ReadRequest> {
  const { maxDecodedBytes, room, metrics } = context;
  const { incoming, user, purpose, wire } = call;
  const leave = (why: Unread): ReadRequest => {
    metrics.add("unread", `why="${why}"`);
    return { decoded: bytes, prepared: createUnchanged(bytes) };
  };
  const encoding = incoming.headers["content-encoding"] ?? "";
  // Once in pieces, and once as a whole.
  const decoding = isPlain(encoding) ? () => undefined : await room.find({ outsideBytes: 2 * maxDecodedBytes });
  if (!decoding) return leave("memory");
  const decoded = await decodeBody(bytes, encoding, maxDecodedBytes).finally(decoding);
  if (!decoded) return leave(isPlain(encoding) ? "body" : "encoding");
  const parse = async (usage?: Usage): Promise<Prepared> => {
    const sender = { user, headers: incoming.headers };
    const { prepared, unread } = await context.reader.read(decoded, sender, { purpose, wire, usage });
    if (unread) metrics.add("unread", `why="${unread}"`);
    return prepared;
  };
  // What may be a client's own compaction is read first, because it may be answered here.
  if (context.compaction !== "pass" || !wire.isBeginning(decoded)) return { decoded, prepared: await parse() };
  context.pool.hold(decoded);
  const behind = (usage?: Usage): Promise<Prepared> => parse(usage).finally(() => context.pool.release(decoded));
  return { decoded, prepared: createAhead(decoded, behind) };
}

interface Exchange extends MessageCall {
  readonly context: GatewayContext;
  readonly account: Account;
  readonly prepared: Prepared;
  /** The body as it came, and decoded; the same buffer unless it came compressed. */
  readonly bytes: Buffer;
  readonly decoded: Buffer;
}

/** The answer did not come, or broke off. */
function fail({ context, account, response }: Exchange, error: Error, status: number): void {
  account.close(response.destroyed ? 0 : status, undefined);
  if (response.destroyed) return;
  countFailure(error, context.metrics);
  failOutgoing(response, error);
}

const MAX_ERROR_BYTES = 262_144;

/** Sends the request. An overflow is answered with a lighter one, once. Any other error, and that of the retry, is passed on unchanged. */
async function exchangeAnswer(exchange: Exchange): Promise<void> {
  const { context, account, prepared, response } = exchange;
  const answer = await send(exchange, prepared);
  account.answered();
  if (!mayBeOverflow(answer)) return take(exchange, answer, prepared.recall);
  const { begun, decoded } = await readDecoded(answer, MAX_ERROR_BYTES, MAX_ERROR_BYTES * 8);
  const lighter = await prepared.react(answer.statusCode ?? 0, decoded?.toString("utf8") ?? "").catch(() => undefined);
  if (response.destroyed) return account.close(0, undefined);
  if (!lighter) return relay(exchange, answer, begun);
  context.metrics.add("overflow_retries");
  account.resent(lighter);
  const second = await send(exchange, lighter).catch((error: Error) => {
    if (response.destroyed) throw error;
    countFailure(error, context.metrics);
    return undefined;
  });
  if (second && !mayBeOverflow(second)) return take(exchange, second, lighter.recall);
  second?.resume();
  relay(exchange, answer, begun);
}

/** Passes an answer on to the client, and answers here what the model fetches back in it. */
async function take(exchange: Exchange, answer: IncomingMessage, recall: RecallService | undefined): Promise<void> {
  const judged = recall ? judgeAnswer(answer) : "none";
  if (recall && judged === "read") return carry(exchange, answer, recall);
  if (judged === "none") return relay(exchange, answer);
  // It may contain calls but cannot be decoded here. The request is sent again as the client wrote it, without the tool.
  exchange.context.metrics.add("incidents", 'cause="coding"');
  answer.destroy();
  relay(exchange, await send(exchange, { pieces: [exchange.decoded], recall: undefined }));
}

/** The model may fetch back what was removed. Its calls are answered here, and the client sees one answer. */
async function carry(exchange: Exchange, answer: IncomingMessage, service: RecallService): Promise<void> {
  const { context, account, prepared, response, wire } = exchange;
  const isStream = answer.headers["content-type"]?.startsWith("text/event-stream") === true;
  if (isStream) context.metrics.shift("active_streams", 1);
  try {
    const carried = await carryAnswer(answer, {
      response,
      service,
      ask: async (messages) => send(exchange, { pieces: await service.goOn(messages), recall: service }),
      relay: (other, begun) => relay(exchange, other, begun),
      fail(words) {
        context.metrics.add("upstream_errors");
        sendError(response, 502, words);
        account.close(502, undefined);
      },
    });
    if (!carried) return;
    if (!carried.isKept) context.metrics.add("incidents", 'cause="store"');
    if (carried.recalls > 0) context.metrics.add("recalls", "", carried.recalls);
    const first = readReported(carried.first, wire);
    if (first) prepared.finish(first);
    account.close(200, readReported(carried.usage, wire));
  } finally {
    if (isStream) context.metrics.shift("active_streams", -1);
  }
}

/** An answer without usage figures does not mean that nothing was cached. */
function readReported(usage: JsonObject, { answers }: Wire): Usage | undefined {
  return Object.keys(usage).length > 0 ? answers.parseUsage(usage) : undefined;
}

function relay(exchange: Exchange, answer: IncomingMessage, begun: readonly Buffer[] = []): void {
  const { context, account, prepared, response, wire } = exchange;
  const status = answer.statusCode ?? 0;
  const { "content-type": contentType = "", "content-encoding": contentEncoding = "" } = answer.headers;
  const watch = createUsageWatch({ contentType, contentEncoding }, wire.answers);
  const isStream = contentType.includes("text/event-stream");
  const fault = (): void => context.metrics.add("incidents", 'cause="exception"');
  if (isStream) context.metrics.shift("active_streams", 1);
  const done = (): void => {
    if (isStream) context.metrics.shift("active_streams", -1);
    watch.end((usage) => {
      // A body that is yet to be read queues by itself.
      if (usage && status < 300 && prepared.behind) prepared.finish(usage);
      else if (usage && status < 300) context.slices.run(() => prepared.finish(usage)).catch(fault);
      account.close(status, usage);
    });
  };
  relayAnswer(answer, response, { begun, watch: guard(watch.feed, fault), done: guard(done, fault) });
}

type Sending = Pick<Prepared, "pieces" | "recall">;

function send(exchange: Exchange, sending: Sending): Promise<IncomingMessage> {
  const { context, response } = exchange;
  return awaitAnswer(response, {
    open: (isFresh) => openRequest(exchange, sending, isFresh),
    isRepeatable: true,
    aborted: () => context.metrics.add("client_aborts"),
    brokenOff(error) {
      if (response.headersSent || response.destroyed) fail(exchange, error, 0);
      // The code that reads the answer passes on what came of it.
      else context.metrics.add("upstream_errors");
    },
  });
}

/** An unchanged body is sent as it came, a changed one decoded. */
function openRequest(exchange: Exchange, { pieces, recall }: Sending, isFresh: boolean): ClientRequest {
  const { context, bytes, decoded, incoming } = exchange;
  const { method = "POST", url = "/", rawHeaders } = incoming;
  const isUntouched = pieces.length === 1 && pieces[0] === decoded;
  const body = isUntouched ? bytes : gather(pieces, context.pool);
  const changed = isUntouched ? rawHeaders : filterHeaders(rawHeaders, ["content-encoding"]);
  // An answer that is read here must not come compressed.
  const headers = recall ? [...filterHeaders(changed, ["accept-encoding"]), "Accept-Encoding", "identity"] : changed;
  const outgoing = context.upstream.open({ method, path: url, rawHeaders: headers, isFresh }, body.length);
  if (isUntouched) context.pool.hold(bytes);
  outgoing.once("close", () => context.pool.release(body));
  return outgoing.end(body);
}
