import type { IncomingMessage, ServerResponse } from "node:http";
import type { JsonObject } from "../../core/json.ts";
import type { Usage } from "../../core/usage.ts";
import { type Account, createAccount, type Door, type MessageCall } from "./exchange.ts";
import { guard, sendError } from "./http/answer.ts";
import { gather } from "./http/body-pool.ts";
import { decodeBody, isPlain } from "./http/decode-body.ts";
import { filterHeaders } from "./http/filter-headers.ts";
import { BodyError, readBody, readSome } from "./http/read-body.ts";
import { cancelWith, failOutgoing, isBroken, relayAnswer } from "./http/relay-answer.ts";
import { createUsageWatch } from "./http/watch-usage.ts";
import { createAhead, createUnchanged, type Prepared } from "./prepared.ts";
import type { Unread } from "./reader.ts";
import type { RecallService } from "./recall/recall-service.ts";
import { carryAnswer, judgeAnswer } from "./recall/relay-conversation.ts";
import { UnexpandedError, type Wire } from "./wire.ts";

/** Handles a message or a token count: reads it, makes it lighter if that pays, and sends it. */
export async function handleMessages(call: MessageCall, door: Door): Promise<void> {
  try {
    const bytes = await readBody(call.incoming, door);
    door.sweep.read(bytes.length);
    await handleBody(bytes, call, door).finally(() => door.pool.release(bytes));
  } catch (error) {
    refuse(call.response, error, door);
  }
}

function refuse(response: ServerResponse, error: unknown, { metrics, maxBodyBytes }: Door): void {
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

async function handleBody(bytes: Buffer, call: MessageCall, door: Door): Promise<void> {
  const { response } = call;
  const { decoded, prepared } = await readRequest(bytes, call, door);
  const account = createAccount(call, prepared, decoded.length, door);
  // The client left while we decided: an answer that no one reads should not be paid for.
  if (response.destroyed) {
    door.metrics.add("client_aborts");
    return account.close(0, undefined);
  }
  const answer = prepared.isCompaction && door.compaction === "answer" ? await prepared.compact() : undefined;
  if (!answer) return sendPrepared({ ...call, door, account, bytes, decoded, prepared });
  door.metrics.add("compactions_answered");
  const { contentType, body } = answer;
  response.writeHead(200, { "content-type": contentType, "content-length": body.length }).end(body);
  account.close(200, undefined);
}

type ReadRequest = Pick<Exchange, "decoded" | "prepared">;

/** Decodes, parses and decides, each once there is room for it. A body without room is sent unchanged. */
async function readRequest(bytes: Buffer, call: MessageCall, door: Door): Promise<ReadRequest> {
  const { maxDecodedBytes, room, metrics } = door;
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
    const { prepared, unread } = await door.reader.read(decoded, sender, { purpose, wire, usage });
    if (unread) metrics.add("unread", `why="${unread}"`);
    return prepared;
  };
  // What may be a client's own compaction is read first, because it may be answered here.
  if (door.compaction !== "pass" || !wire.isBeginning(decoded)) return { decoded, prepared: await parse() };
  door.pool.hold(decoded);
  const behind = (usage?: Usage): Promise<Prepared> => parse(usage).finally(() => door.pool.release(decoded));
  return { decoded, prepared: createAhead(decoded, behind) };
}

interface Exchange extends MessageCall {
  readonly door: Door;
  readonly account: Account;
  readonly prepared: Prepared;
  /** The body as it came, and decoded; the same buffer unless it came compressed. */
  readonly bytes: Buffer;
  readonly decoded: Buffer;
}

/** Statuses with which an API may say that a request does not fit. Such answers are read before they are passed on. */
const OVERFLOW_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);
const MAX_ERROR_BYTES = 262_144;

function sendPrepared(exchange: Exchange): void {
  const { door, account, prepared, bytes, response } = exchange;
  send(exchange, prepared, (answer) => {
    account.answered();
    if (isTaken(exchange, answer, prepared.recall)) return;
    door.pool.hold(bytes);
    reactTo(exchange, answer)
      .catch(() => {
        door.metrics.add("incidents", 'cause="exception"');
        failOutgoing(response, new Error("the answer could not be read"));
      })
      .finally(() => door.pool.release(bytes));
  });
}

/** Whether the answer is being passed on to the client. One that may say that the request does not fit is not. */
function isTaken(exchange: Exchange, answer: IncomingMessage, recall: RecallService | undefined): boolean {
  const judged = recall ? judgeAnswer(answer) : "none";
  if (recall && judged === "read") void carry(exchange, answer, recall);
  else if (judged === "unreadable") sendPlain(exchange, answer);
  else if (OVERFLOW_STATUSES.has(answer.statusCode ?? 0)) return false;
  else relay(exchange, answer);
  return true;
}

/** The answer may contain calls but cannot be decoded here. The request is sent again as the client wrote it, without the tool. */
function sendPlain(exchange: Exchange, answer: IncomingMessage): void {
  exchange.door.metrics.add("incidents", 'cause="coding"');
  answer.destroy();
  send(exchange, { pieces: [exchange.decoded], recall: undefined }, (second) => relay(exchange, second));
}

/** An overflow is answered with a lighter request, once. Any other error, and the result of that retry, is passed on unchanged. */
async function reactTo(exchange: Exchange, answer: IncomingMessage): Promise<void> {
  const { door, account, prepared, response } = exchange;
  const begun = await readSome(answer, MAX_ERROR_BYTES);
  const encoding = answer.headers["content-encoding"] ?? "";
  const body = await decodeBody(Buffer.concat(begun), encoding, MAX_ERROR_BYTES * 8);
  const lighter = await prepared.react(answer.statusCode ?? 0, body?.toString("utf8") ?? "").catch(() => undefined);
  const giveUp = (): void => relay(exchange, answer, begun);
  if (!lighter || response.destroyed) return giveUp();
  door.metrics.add("overflow_retries");
  account.resent(lighter);
  send(exchange, { ...lighter, giveUp }, (second) => {
    if (isTaken(exchange, second, lighter.recall)) return;
    second.resume();
    giveUp();
  });
}

/** The model may fetch back what was removed. Its calls are answered here, and the client sees one answer. */
async function carry(exchange: Exchange, answer: IncomingMessage, service: RecallService): Promise<void> {
  const { door, account, prepared, bytes, response, wire } = exchange;
  const isStream = answer.headers["content-type"]?.startsWith("text/event-stream") === true;
  if (isStream) door.metrics.shift("active_streams", 1);
  // Further requests are made of the same bytes.
  door.pool.hold(bytes);
  try {
    const carried = await carryAnswer(answer, {
      response,
      service,
      ask: (messages) => sendOn(exchange, messages, service),
      relay: (other, begun) => relay(exchange, other, begun),
      fail(words) {
        door.metrics.add("upstream_errors");
        sendError(response, 502, words);
        account.close(502, undefined);
      },
    });
    if (!carried) return;
    if (!carried.isKept) door.metrics.add("incidents", 'cause="store"');
    if (carried.recalls > 0) door.metrics.add("recalls", "", carried.recalls);
    const first = readTold(carried.first, wire);
    if (first) prepared.finish(first);
    account.close(200, readTold(carried.usage, wire));
  } catch (error) {
    account.close(response.destroyed ? 0 : 200, undefined);
    if (response.destroyed) return;
    door.metrics.add("upstream_errors");
    failOutgoing(response, error instanceof Error ? error : new Error(String(error)));
  } finally {
    if (isStream) door.metrics.shift("active_streams", -1);
    door.pool.release(bytes);
  }
}

/** One more request of the same conversation, and its answer. Any failure on the way ends the response. */
function sendOn(exchange: Exchange, messages: readonly Buffer[], recall: RecallService): Promise<IncomingMessage> {
  const { response } = exchange;
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error("the client has disconnected"));
    response.once("close", gone);
    void Promise.resolve(recall.goOn(messages)).then((pieces) => {
      if (response.destroyed) return;
      send(exchange, { pieces, recall }, (next) => {
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

function relay(exchange: Exchange, answer: IncomingMessage, begun: readonly Buffer[] = []): void {
  const { door, account, prepared, response, wire } = exchange;
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
      if (usage && status < 300 && prepared.behind) prepared.finish(usage);
      else if (usage && status < 300) door.slices.run(() => prepared.finish(usage)).catch(fault);
      account.close(status, usage);
    });
  };
  relayAnswer(answer, response, { begun, watch: guard(watch.feed, fault), done: guard(done, fault) });
}

interface Sending extends Pick<Prepared, "pieces" | "recall"> {
  readonly giveUp?: () => void;
}

function send(exchange: Exchange, sending: Sending, take: (answer: IncomingMessage) => void): void {
  const { door, account, bytes, response } = exchange;
  const attempt = (isSecond: boolean): void => {
    const { outgoing, body } = openRequest(exchange, sending, isSecond);
    outgoing.once("close", () => {
      for (const held of new Set([body, bytes])) door.pool.release(held);
    });
    cancelWith(response, outgoing, () => door.metrics.add("client_aborts"));
    let isAnswered = false;
    const handOn = guard(take, (error) => {
      door.metrics.add("incidents", 'cause="exception"');
      failOutgoing(response, error);
      account.close(0, undefined);
    });
    outgoing.once("response", (answer) => {
      isAnswered = true;
      handOn(answer);
    });
    outgoing.on("error", (error) => {
      if (response.destroyed) return account.close(0, undefined);
      // A kept connection that the upstream had closed in the meantime says nothing about the upstream.
      if (outgoing.reusedSocket && !isSecond && !isAnswered && isBroken(error)) return attempt(true);
      door.metrics.add("upstream_errors");
      // The code that reads the answer passes on what came of it.
      if (isAnswered && !response.headersSent) return;
      if (sending.giveUp && !response.headersSent) return sending.giveUp();
      failOutgoing(response, error);
      account.close(0, undefined);
    });
    outgoing.end(body);
  };
  attempt(false);
}

/** An unchanged body is sent as it came, a changed one decoded. Both are held until then: the body may have to be built again. */
function openRequest(exchange: Exchange, { pieces, recall }: Sending, isFresh: boolean) {
  const { door, bytes, decoded, incoming } = exchange;
  const { method = "POST", url = "/", rawHeaders } = incoming;
  const isUntouched = pieces.length === 1 && pieces[0] === decoded;
  door.pool.hold(bytes);
  const body = isUntouched ? bytes : gather(pieces, door.pool);
  const changed = isUntouched ? rawHeaders : filterHeaders(rawHeaders, ["content-encoding"]);
  // An answer that is read here must not come compressed.
  const headers = recall ? [...filterHeaders(changed, ["accept-encoding"]), "Accept-Encoding", "identity"] : changed;
  return { outgoing: door.upstream.open({ method, path: url, rawHeaders: headers, isFresh }, body.length), body };
}
