import type { ClientRequest, IncomingMessage } from "node:http";
import type { Usage } from "../core/usage.ts";
import { renderCompactionAnswer } from "./answer-compaction.ts";
import type { Door, Exchange } from "./exchange.ts";
import { sendError } from "./http/answer.ts";
import { AbortedError, BodyTooLargeError, decodeBody, readBody } from "./http/read-body.ts";
import { cancelWith, failOutgoing, relayAnswer } from "./http/relay-answer.ts";
import { createUsageWatch } from "./http/watch-usage.ts";
import { createUnchanged, type Prepared } from "./prepare-request.ts";

/** A message, or the question how heavy one would be: looked at, made lighter where that is right, and sent. */
export async function handleMessages(exchange: Exchange, purpose: "messages" | "count", door: Door): Promise<void> {
  const { incoming, response } = exchange;
  try {
    const bytes = await readBody(incoming, door.maxBodyBytes);
    const prepared = await prepare(bytes, { exchange, purpose }, door);
    const account = createAccount(exchange, { prepared, bytes, purpose }, door);
    if (prepared.isCompaction && door.compaction === "answer") return answerHere(exchange, prepared, { door, account });
    sendPrepared(exchange, prepared, { door, account });
  } catch (error) {
    if (error instanceof AbortedError) return;
    door.metrics.add("refused", `why="${error instanceof BodyTooLargeError ? "body" : "fault"}"`);
    const megabytes = Math.floor(door.maxBodyBytes / 1e6);
    if (error instanceof BodyTooLargeError) {
      response.setHeader("connection", "close");
      sendError(response, 413, `the body is larger than ${megabytes} MB`);
    } else sendError(response, 502, "the request could not be read");
  }
}

interface Way {
  readonly door: Door;
  readonly account: Account;
}

/** Fails open: whatever goes wrong with deciding, the bytes that came are what is sent. */
async function prepare(
  bytes: Buffer,
  { exchange, purpose }: { readonly exchange: Exchange; readonly purpose: "messages" | "count" },
  { preparer }: Door,
): Promise<Prepared> {
  const startMs = performance.now();
  const { incoming, user } = exchange;
  // A compressed body is never edited: it would have to leave in another form than it came.
  if (incoming.headers["content-encoding"] !== undefined) return createUnchanged(bytes, { startMs, incidents: [] });
  try {
    return await preparer.prepare(bytes, { user, headers: incoming.headers }, purpose);
  } catch {
    return createUnchanged(bytes, { startMs, incidents: ["exception"] });
  }
}

function answerHere({ response }: Exchange, prepared: Prepared, { door, account }: Way): void {
  const { messages, model, isStream, session } = prepared;
  const { contentType, body } = renderCompactionAnswer({ messages, model, isStream, id: `msg_plimsoll_${session}` });
  door.metrics.add("compactions_answered");
  response.writeHead(200, { "content-type": contentType, "content-length": body.length }).end(body);
  account.close(200, undefined);
}

/** Answers by which an API may say that a request does not fit: they are read before they are handed on. */
const OVERFLOW_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);
const MAX_ERROR_BYTES = 262_144;

function sendPrepared(exchange: Exchange, prepared: Prepared, way: Way): void {
  const { door, account } = way;
  send(exchange, prepared.pieces, way, (answer) => {
    account.answered();
    if (!OVERFLOW_STATUSES.has(answer.statusCode ?? 0)) return relay(exchange, { answer, prepared }, way);
    void reactTo(exchange, { answer, prepared }, way).catch(() => {
      door.metrics.add("incidents", 'kind="exception"');
      failOutgoing(exchange.response, new Error("the answer could not be read"));
    });
  });
}

interface Answered {
  readonly answer: IncomingMessage;
  readonly prepared: Prepared;
  readonly begun?: readonly Buffer[];
}

/** An overflow is answered by a lighter request, once. Whatever else it is, and whatever comes of that, is handed on as it came. */
async function reactTo(exchange: Exchange, { answer, prepared }: Answered, way: Way): Promise<void> {
  const begun = await readSome(answer, MAX_ERROR_BYTES);
  const body = decodeError(Buffer.concat(begun), answer);
  const pieces = await prepared.react(answer.statusCode ?? 0, body).catch(() => undefined);
  if (!pieces || exchange.response.destroyed) return relay(exchange, { answer, prepared, begun }, way);
  way.door.metrics.add("overflow_retries");
  const giveUp = (): void => relay(exchange, { answer, prepared, begun }, way);
  send({ ...exchange, giveUp }, pieces, way, (second) => {
    if (!OVERFLOW_STATUSES.has(second.statusCode ?? 0)) return relay(exchange, { answer: second, prepared }, way);
    second.resume();
    giveUp();
  });
}

function decodeError(bytes: Buffer, { headers }: IncomingMessage): string {
  const encoding = headers["content-encoding"] ?? "";
  return (encoding === "" ? bytes : decodeBody(bytes, encoding, MAX_ERROR_BYTES * 8))?.toString("utf8") ?? "";
}

/** The body as far as it comes within the limit; the rest stays in the stream. */
async function readSome(answer: IncomingMessage, maxBytes: number): Promise<readonly Buffer[]> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  await new Promise<void>((resolve) => {
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes < maxBytes) return;
      answer.pause();
      answer.off("data", take);
      resolve();
    };
    answer.on("data", take);
    answer.once("end", resolve);
    answer.once("close", resolve);
    answer.on("error", () => resolve());
  });
  return chunks;
}

function relay({ response }: Exchange, { answer, prepared, begun = [] }: Answered, { account }: Way): void {
  const status = answer.statusCode ?? 0;
  const { "content-type": contentType = "", "content-encoding": contentEncoding = "" } = answer.headers;
  const watch = createUsageWatch({ contentType, contentEncoding });
  const done = (): void => {
    watch.end((usage) => {
      if (usage && status < 300) prepared.finish(usage);
      account.close(status, usage);
    });
  };
  relayAnswer(answer, response, { begun, watch: watch.feed, done });
}

type Sending = Exchange & { readonly giveUp?: () => void };

function send(exchange: Sending, pieces: readonly Buffer[], way: Way, take: (answer: IncomingMessage) => void): void {
  const { door, account } = way;
  let isSecond = false;
  const attempt = (): void => {
    const outgoing = openRequest(exchange, pieces, door);
    cancelWith(exchange.response, outgoing, () => door.metrics.add("client_aborts"));
    outgoing.once("response", take);
    outgoing.on("error", (error) => {
      if (exchange.response.destroyed) return account.close(0, undefined);
      // A kept connection that the upstream had closed meanwhile says nothing about the upstream.
      if (
        outgoing.reusedSocket &&
        !isSecond &&
        !exchange.response.headersSent &&
        "code" in error &&
        error.code === "ECONNRESET"
      ) {
        isSecond = true;
        return attempt();
      }
      door.metrics.add("upstream_errors");
      if (exchange.giveUp && !exchange.response.headersSent) return exchange.giveUp();
      failOutgoing(exchange.response, error);
      account.close(0, undefined);
    });
    for (const piece of pieces.slice(0, -1)) outgoing.write(piece);
    outgoing.end(pieces.at(-1));
  };
  attempt();
}

function openRequest({ incoming }: Exchange, pieces: readonly Buffer[], { upstream }: Door): ClientRequest {
  const { method = "POST", url = "/", rawHeaders } = incoming;
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return upstream.open({ method, path: url, rawHeaders }, bytes);
}

/** Writes down, once, what became of a request. */
interface Account {
  answered(): void;
  close(status: number, usage: Usage | undefined): void;
}

interface Sent {
  readonly prepared: Prepared;
  readonly bytes: Buffer;
  readonly purpose: "messages" | "count";
}

function createAccount(
  { user }: Exchange,
  { prepared, bytes, purpose }: Sent,
  { metrics, store, telemetry, nowMs }: Door,
): Account {
  const startMs = performance.now();
  const atMs = nowMs();
  let firstByteMs = 0;
  let isClosed = false;
  const { session, model, edits, replayed, tokensBefore, tokensAfter, planMs, incidents, pieces } = prepared;
  return {
    answered() {
      firstByteMs = performance.now() - startMs;
    },
    close(status, usage) {
      if (isClosed) return;
      isClosed = true;
      const bytesOut = pieces.reduce((sum, piece) => sum + piece.length, 0);
      const route = purpose === "messages" ? "messages" : "count_tokens";
      const durationMs = performance.now() - startMs;
      const figures = { edits, replayed, tokensBefore, tokensAfter, planMs, firstByteMs, durationMs, incidents, usage };
      const entry = { atMs, session, user, model, route, status, bytesIn: bytes.length, bytesOut, ...figures };
      metrics.count(entry);
      store.note(entry);
      telemetry?.record(entry);
    },
  };
}
