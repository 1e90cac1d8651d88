import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import { errorCode } from "../../../core/render-failure.ts";
import type { Metrics } from "../metrics.ts";
import { once, sendError } from "./answer.ts";
import { filterHeaders, findTransferCoding } from "./filter-headers.ts";

interface RelayOptions {
  /** The part of the body that was read already. */
  readonly begun?: readonly Buffer[];
  /** Receives every piece after it was passed on. */
  readonly watch?: (chunk: Buffer) => void;
  /** Called once. */
  readonly done?: () => void;
}

/** Passes an answer on as it comes, and ends as it does: a stream that breaks breaks here at the same byte. A slow client slows the upstream down. */
export function relayAnswer(answer: IncomingMessage, response: ServerResponse, options: RelayOptions = {}): void {
  const { begun = [], watch, done } = options;
  // After all that `watch` has yet to receive.
  const finish = once(() => done && setImmediate(done));
  response.once("close", finish);
  answer.on("error", () => undefined);
  if (!tryHead(answer, response)) return;
  // Headers go with the first piece of the body if that has come already, otherwise in a packet of their own.
  setImmediate(() => response.flushHeaders());
  for (const chunk of begun) response.write(chunk);
  answer.pipe(response);
  // A piece is written at the end of the tick it came in; watching it before would delay it.
  if (watch) answer.on("data", (chunk: Buffer) => setImmediate(watch, chunk));
  const brokenOff = (): void => {
    if (answer.complete) return;
    // The promised end did not come: deliver what came, then close the connection as the upstream did.
    response.socket?.destroySoon();
    finish();
  };
  if (answer.closed) setImmediate(brokenOff);
  else answer.once("close", brokenOff);
}

/** `false` for a status or phrase that no server may send: the client gets our own error. */
function tryHead(answer: IncomingMessage, response: ServerResponse): boolean {
  response.sendDate = false;
  try {
    const coding = findTransferCoding(answer.rawHeaders);
    const declared = coding === undefined ? [] : ["Transfer-Encoding", coding];
    const headers = [...filterHeaders(answer.rawHeaders), ...declared];
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, headers);
    return true;
  } catch {
    answer.destroy();
    response.statusMessage = "";
    sendError(response, 502, "the upstream's answer cannot be passed on");
    return false;
  }
}

interface Asking {
  /** Opens the request and sends its body. */
  open(isFresh: boolean): ClientRequest;
  /** Whether it may be sent a second time. */
  readonly isRepeatable: boolean;
  /** The client has left. */
  aborted(): void;
  /** The upstream failed after its answer had begun. */
  brokenOff(error: Error): void;
}

/** Failures of the upstream's connections and answers. Any other error is our own. */
export const upstreamErrors: WeakSet<Error> = new WeakSet();

export function countFailure(error: Error, metrics: Metrics): void {
  if (upstreamErrors.has(error)) metrics.add("upstream_errors");
  else metrics.add("incidents", 'cause="exception"');
}

/** The beginning of the upstream's answer. Rejects if it does not come. */
export function awaitAnswer(response: ServerResponse, asking: Asking): Promise<IncomingMessage> {
  const { open, isRepeatable, aborted, brokenOff } = asking;
  return new Promise((resolve, reject) => {
    // An answer that no one reads should not be paid for.
    if (response.destroyed) return reject(new Error("the client has disconnected"));
    const attempt = (isSecond: boolean): void => {
      const outgoing = open(isSecond);
      let isAnswered = false;
      cancelWith(response, outgoing, aborted);
      outgoing.once("response", (answer) => {
        isAnswered = true;
        resolve(answer);
      });
      outgoing.on("error", (error) => {
        upstreamErrors.add(error);
        if (isAnswered) return brokenOff(error);
        // A kept connection that the upstream had closed in the meantime says nothing about the upstream.
        const isStale = outgoing.reusedSocket && isBroken(error);
        if (isStale && !isSecond && isRepeatable && !response.destroyed) attempt(true);
        else reject(error);
      });
    };
    attempt(false);
  });
}

/** Cancels the upstream request if the client leaves, so that the rest of the answer is not paid for. */
function cancelWith(response: ServerResponse, outgoing: ClientRequest, aborted: () => void): void {
  const cancel = (): void => {
    if (response.writableFinished || outgoing.destroyed) return;
    aborted();
    outgoing.destroy();
  };
  response.once("close", cancel);
  // One answer may take many requests.
  outgoing.once("close", () => response.off("close", cancel));
}

/** There is no answer. A reset connection is reset here, too; any other failure becomes an error message if nothing was sent yet. */
export function failOutgoing(response: ServerResponse, error: Error): void {
  const code = errorCode(error);
  if (isBroken(error)) resetSoon(response);
  else if (response.headersSent) response.socket?.destroySoon();
  else if (!upstreamErrors.has(error)) sendError(response, 502, "the request could not be handled");
  else {
    const isTimeout = code === "ETIMEDOUT" || error.message.includes("silent for too long");
    sendError(response, isTimeout ? 504 : 502, `the upstream could not be reached (${code || error.message})`);
  }
}

function isBroken(error: Error): boolean {
  return ["ECONNRESET", "EPIPE"].includes(errorCode(error));
}

/** What was passed on before the reset is delivered first. */
function resetSoon({ socket }: ServerResponse): void {
  if (!socket) return;
  if (socket.writableLength === 0) socket.resetAndDestroy();
  else socket.once("drain", () => socket.resetAndDestroy());
}
