import type { IncomingMessage } from "node:http";
import type { JsonObject } from "../../core/json.ts";
import type { Usage } from "../../core/usage.ts";
import { type Account, createAccount, type Door, type HttpCall } from "./exchange.ts";
import { guard, sendError } from "./http/answer.ts";
import { gather } from "./http/body-pool.ts";
import { decodeBody } from "./http/decode-body.ts";
import { filterHeaders } from "./http/filter-headers.ts";
import { AbortedError, BodyTooLargeError, NoRoomError, readBody, readSome } from "./http/read-body.ts";
import { cancelWith, failOutgoing, isBroken, relayAnswer } from "./http/relay-answer.ts";
import { createUsageWatch } from "./http/watch-usage.ts";
import type { Prepared } from "./prepared.ts";
import { type RequestJob, readRequest } from "./read-request.ts";
import type { RecallService } from "./recall/recall-service.ts";
import { carryAnswer, judgeAnswer } from "./recall/relay-conversation.ts";
import { type CompactionBody, UnexpandedError, type Wire } from "./wire.ts";

/** Handles a message or a token count: reads it, makes it lighter if that pays, and sends it. */
export async function handleMessages(asked: RequestJob, door: Door): Promise<void> {
  const { exchange } = asked;
  const { incoming } = exchange;
  try {
    const bytes = await readBody(incoming, { ...door, maxBytes: door.maxBodyBytes });
    door.sweep.read(bytes.length);
    await handleBody(bytes, asked, door).finally(() => door.pool.release(bytes));
  } catch (error) {
    // A client that leaves in the middle of a body is no fault of ours.
    if (error instanceof AbortedError) door.metrics.add("client_aborts");
    else refuse(exchange, error, door);
  }
}

/** The rest of the body is not read, so the connection is closed as well. */
function refuse({ response }: HttpCall, error: unknown, { metrics, maxBodyBytes }: Door): void {
  const isTooLarge = error instanceof BodyTooLargeError;
  const full = error instanceof NoRoomError ? error : undefined;
  if (error instanceof UnexpandedError) {
    metrics.add("incidents", 'cause="store"');
    if (!response.headersSent) response.setHeader("retry-after", 1);
    sendError(response, 503, "the compacted conversation cannot be read now: try again in a moment");
    return;
  }
  metrics.add("refused", `why="${isTooLarge ? "body" : (full?.why ?? "fault")}"`);
  if ((isTooLarge || full) && !response.headersSent) response.setHeader("connection", "close");
  if (full && !response.headersSent) response.setHeader("retry-after", full.retryAfterSeconds);
  if (isTooLarge) sendError(response, 413, `the request body is larger than ${Math.floor(maxBodyBytes / 1e6)} MB`);
  else if (full) sendError(response, 503, `${FULL[full.why]}: try again in a moment`);
  else sendError(response, 502, "the request could not be read");
}

const FULL = {
  memory: "there is not enough free memory for this request body",
  busy: "too many requests are waiting",
} as const satisfies Record<NoRoomError["why"], string>;

async function handleBody(bytes: Buffer, asked: RequestJob, door: Door): Promise<void> {
  const { exchange, purpose, wire } = asked;
  const read = await readRequest(bytes, asked, door);
  const received = { bytes, read: read.bytes };
  const { prepared } = read;
  const account = createAccount(exchange, { prepared, bytes: received.read, purpose, route: wire.route }, door);
  const way = { door, account, received, wire, isRead: prepared.recall !== undefined };
  // The client left while we decided: an answer that no one reads should not be paid for.
  if (exchange.response.destroyed) {
    door.metrics.add("client_aborts");
    return account.close(0, undefined);
  }
  const answer = prepared.isCompaction && door.compaction === "answer" ? await prepared.compact() : undefined;
  if (answer) return answerHere(exchange, answer, way);
  sendPrepared(exchange, prepared, way);
}

interface Way {
  readonly door: Door;
  readonly account: Account;
  /** The body as it came, and decoded; the same buffer unless it came compressed. */
  readonly received: { readonly bytes: Buffer; readonly read: Buffer };
  readonly wire: Wire;
  /** The answer will be read here, so it must not come compressed. */
  readonly isRead: boolean;
}

function answerHere({ response }: HttpCall, { contentType, body }: CompactionBody, { door, account }: Way): void {
  door.metrics.add("compactions_answered");
  response.writeHead(200, { "content-type": contentType, "content-length": body.length }).end(body);
  account.close(200, undefined);
}

/** Statuses with which an API may say that a request does not fit. Such answers are read before they are passed on. */
const OVERFLOW_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);
const MAX_ERROR_BYTES = 262_144;

function sendPrepared(exchange: HttpCall, prepared: Prepared, way: Way): void {
  const { door, account, received } = way;
  send(exchange, prepared.pieces, way, (answer) => {
    account.answered();
    if (isTaken(exchange, { answer, prepared }, way, prepared.recall)) return;
    door.pool.hold(received.bytes);
    reactTo(exchange, { answer, prepared }, way)
      .catch(() => {
        door.metrics.add("incidents", 'cause="exception"');
        failOutgoing(exchange.response, new Error("the answer could not be read"));
      })
      .finally(() => door.pool.release(received.bytes));
  });
}

interface Answered {
  readonly answer: IncomingMessage;
  readonly prepared: Prepared;
  readonly begun?: readonly Buffer[];
}

/** Whether the answer is being passed on to the client. One that may say that the request does not fit is not. */
function isTaken(exchange: HttpCall, answered: Answered, way: Way, recall: RecallService | undefined): boolean {
  const judged = recall ? judgeAnswer(answered.answer) : "none";
  if (recall && judged === "read") void carry(exchange, answered, way, recall);
  else if (judged === "unreadable") sendPlain(exchange, answered, way);
  else if (OVERFLOW_STATUSES.has(answered.answer.statusCode ?? 0)) return false;
  else relay(exchange, answered, way);
  return true;
}

/** The answer may contain calls but cannot be decoded here. The request is sent again as the client wrote it, without the tool. */
function sendPlain(exchange: HttpCall, { answer, prepared }: Answered, way: Way): void {
  way.door.metrics.add("incidents", 'cause="coding"');
  answer.destroy();
  send(exchange, [way.received.read], { ...way, isRead: false }, (second) =>
    relay(exchange, { answer: second, prepared }, way),
  );
}

/** An overflow is answered with a lighter request, once. Any other error, and the result of that retry, is passed on unchanged. */
async function reactTo(exchange: HttpCall, { answer, prepared }: Answered, way: Way): Promise<void> {
  const begun = await readSome(answer, MAX_ERROR_BYTES);
  const body = await decodeError(Buffer.concat(begun), answer);
  const lighter = await prepared.react(answer.statusCode ?? 0, body).catch(() => undefined);
  if (!lighter || exchange.response.destroyed) return relay(exchange, { answer, prepared, begun }, way);
  way.door.metrics.add("overflow_retries");
  way.account.resent(lighter);
  const giveUp = (): void => relay(exchange, { answer, prepared, begun }, way);
  send({ ...exchange, giveUp }, lighter.pieces, { ...way, isRead: lighter.recall !== undefined }, (second) => {
    if (isTaken(exchange, { answer: second, prepared }, way, lighter.recall)) return;
    second.resume();
    giveUp();
  });
}

async function decodeError(bytes: Buffer, { headers }: IncomingMessage): Promise<string> {
  const text = await decodeBody(bytes, headers["content-encoding"] ?? "", MAX_ERROR_BYTES * 8);
  return text?.toString("utf8") ?? "";
}

/** The model may fetch back what was removed. Its calls are answered here, and the client sees one answer. */
async function carry(
  exchange: HttpCall,
  { answer, prepared }: Answered,
  way: Way,
  service: RecallService,
): Promise<void> {
  const { door, account, received } = way;
  const { response } = exchange;
  const isStream = answer.headers["content-type"]?.startsWith("text/event-stream") === true;
  if (isStream) door.metrics.shift("active_streams", 1);
  // Further requests are made of the same bytes.
  door.pool.hold(received.bytes);
  try {
    const carried = await carryAnswer(answer, {
      response,
      service,
      ask: (messages) => sendOn(exchange, service.goOn(messages), way),
      relay: (other, begun) => relay(exchange, { answer: other, prepared, begun }, way),
      fail(words) {
        door.metrics.add("upstream_errors");
        sendError(response, 502, words);
        account.close(502, undefined);
      },
    });
    if (!carried) return;
    if (!carried.isKept) door.metrics.add("incidents", 'cause="store"');
    if (carried.recalls > 0) door.metrics.add("recalls", "", carried.recalls);
    const first = readTold(carried.first, way.wire);
    if (first) prepared.finish(first);
    account.close(200, readTold(carried.usage, way.wire));
  } catch (error) {
    account.close(response.destroyed ? 0 : 200, undefined);
    if (response.destroyed) return;
    door.metrics.add("upstream_errors");
    failOutgoing(response, error instanceof Error ? error : new Error(String(error)));
  } finally {
    if (isStream) door.metrics.shift("active_streams", -1);
    door.pool.release(received.bytes);
  }
}

/** One more request of the same conversation, and its answer. Any failure on the way ends the response. */
function sendOn(exchange: HttpCall, goingOn: ReturnType<RecallService["goOn"]>, way: Way): Promise<IncomingMessage> {
  const { response } = exchange;
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error("the client has disconnected"));
    response.once("close", gone);
    void Promise.resolve(goingOn).then((pieces) => {
      if (response.destroyed) return;
      send(exchange, pieces, { ...way, isRead: true }, (next) => {
        response.off("close", gone);
        resolve(next);
      });
    }, reject);
  });
}

/** An answer without usage figures does not mean that nothing was cached. */
function readTold(usage: JsonObject, { answers }: Wire): Usage | undefined {
  return Object.keys(usage).length > 0 ? answers.parseUsage(usage) : undefined;
}

function relay({ response }: HttpCall, { answer, prepared, begun = [] }: Answered, { account, door, wire }: Way): void {
  const status = answer.statusCode ?? 0;
  const { "content-type": contentType = "", "content-encoding": contentEncoding = "" } = answer.headers;
  const watch = createUsageWatch({ contentType, contentEncoding }, wire.answers);
  const isStream = contentType.includes("text/event-stream");
  const fault = (): void => door.metrics.add("incidents", 'cause="exception"');
  if (isStream) door.metrics.shift("active_streams", 1);
  const done = (): void => {
    if (isStream) door.metrics.shift("active_streams", -1);
    watch.end((usage) => {
      // A body that is yet to be read queues by itself.
      const learn = (told: Usage): unknown =>
        prepared.behind ? prepared.finish(told) : door.slices.run(() => prepared.finish(told)).catch(fault);
      if (usage && status < 300) learn(usage);
      account.close(status, usage);
    });
  };
  relayAnswer(answer, response, { begun, watch: guard(watch.feed, fault), done: guard(done, fault) });
}

type Sending = HttpCall & { readonly giveUp?: () => void };

function send(exchange: Sending, pieces: readonly Buffer[], way: Way, take: (answer: IncomingMessage) => void): void {
  const { door, account, received } = way;
  const attempt = (isSecond: boolean): void => {
    const { outgoing, body } = openRequest(exchange, { pieces, isFresh: isSecond }, way);
    outgoing.once("close", () => {
      for (const held of new Set([body, received.bytes])) door.pool.release(held);
    });
    cancelWith(exchange.response, outgoing, () => door.metrics.add("client_aborts"));
    let isAnswered = false;
    const handOn = guard(take, (error) => {
      door.metrics.add("incidents", 'cause="exception"');
      failOutgoing(exchange.response, error);
      account.close(0, undefined);
    });
    outgoing.once("response", (answer) => {
      isAnswered = true;
      handOn(answer);
    });
    outgoing.on("error", (error) => {
      if (exchange.response.destroyed) return account.close(0, undefined);
      // A kept connection that the upstream had closed in the meantime says nothing about the upstream.
      if (outgoing.reusedSocket && !isSecond && !isAnswered && isBroken(error)) return attempt(true);
      door.metrics.add("upstream_errors");
      // The code that reads the answer passes on what came of it.
      if (isAnswered && !exchange.response.headersSent) return;
      if (exchange.giveUp && !exchange.response.headersSent) return exchange.giveUp();
      failOutgoing(exchange.response, error);
      account.close(0, undefined);
    });
    outgoing.end(body);
  };
  attempt(false);
}

/**
 * An unchanged body is sent as it came, compressed or not; a changed one is sent decoded.
 * The body and its source are held until it is sent, because it may have to be built again.
 */
function openRequest(
  { incoming }: HttpCall,
  { pieces, isFresh }: { readonly pieces: readonly Buffer[]; readonly isFresh: boolean },
  { door, received, isRead }: Way,
) {
  const { method = "POST", url = "/", rawHeaders } = incoming;
  const isUntouched = pieces.length === 1 && pieces[0] === received.read;
  door.pool.hold(received.bytes);
  const body = isUntouched ? received.bytes : gather(pieces, door.pool);
  const changed = isUntouched ? rawHeaders : filterHeaders(rawHeaders, ["content-encoding"]);
  const headers = isRead ? [...filterHeaders(changed, ["accept-encoding"]), "Accept-Encoding", "identity"] : changed;
  return { outgoing: door.upstream.open({ method, path: url, rawHeaders: headers, isFresh }, body.length), body };
}
