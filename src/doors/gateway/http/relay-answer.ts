import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import { errorCode } from "../../../core/render-failure.ts";
import { sendError } from "./answer.ts";
import { filterHeaders, findTransferCoding } from "./filter-headers.ts";

export interface RelayOptions {
  /** What was read of the body already. */
  readonly begun?: readonly Buffer[];
  /** Sees every piece after it was handed on. */
  readonly watch?: (chunk: Buffer) => void;
  /** Called once; `isWhole` where the upstream had said everything and it was handed on. */
  readonly done?: (isWhole: boolean) => void;
}

/**
 * Hands an answer on as it comes: status, headers, bytes, and how it ends. A stream that breaks in the middle breaks here at
 * the same byte. A slow client slows the upstream down.
 */
export function relayAnswer(answer: IncomingMessage, response: ServerResponse, options: RelayOptions = {}): void {
  const { begun = [], watch, done } = options;
  let isDone = false;
  const finish = (isWhole: boolean): void => {
    // After whatever is still to be watched.
    if (!isDone && done) setImmediate(done, isWhole);
    isDone = true;
  };
  response.once("close", () => finish(response.writableFinished));
  answer.on("error", () => undefined);
  if (!tryHead(answer, response)) return;
  // With the first piece of the body where that has come already, in a packet of their own where it has not.
  setImmediate(() => response.flushHeaders());
  for (const chunk of begun) response.write(chunk);
  answer.pipe(response);
  // A piece is written at the end of the tick it came in; looking at it would hold it up.
  if (watch) answer.on("data", (chunk: Buffer) => setImmediate(watch, chunk));
  const brokenOff = (): void => {
    if (answer.complete) return;
    // Without the end that was promised: what came is delivered, then the connection breaks as the upstream's did.
    response.socket?.destroySoon();
    finish(false);
  };
  if (answer.closed) setImmediate(brokenOff);
  else answer.once("close", brokenOff);
}

/** `false` for a status or a phrase that no server may send: the client gets a sentence of ours. */
function tryHead(answer: IncomingMessage, response: ServerResponse): boolean {
  response.sendDate = false;
  try {
    const coding = findTransferCoding(answer.rawHeaders);
    const headers = [
      ...filterHeaders(answer.rawHeaders),
      ...(coding === undefined ? [] : ["Transfer-Encoding", coding]),
    ];
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, headers);
    return true;
  } catch {
    answer.destroy();
    response.statusMessage = "";
    sendError(response, 502, "the upstream's answer cannot be passed on");
    return false;
  }
}

/** Whoever asked has gone: nobody pays for the rest of the answer. */
export function cancelWith(response: ServerResponse, outgoing: ClientRequest, aborted: () => void): void {
  const cancel = (): void => {
    if (response.writableFinished || outgoing.destroyed) return;
    aborted();
    outgoing.destroy();
  };
  response.once("close", cancel);
  // An answer may be made of many requests.
  outgoing.once("close", () => response.off("close", cancel));
}

/** The upstream failed. A connection that it reset is reset here, too; where nothing was said yet, all else gets a sentence. */
export function failOutgoing(response: ServerResponse, error: Error): void {
  const code = errorCode(error);
  if (isBroken(error)) resetSoon(response);
  else if (response.headersSent) response.socket?.destroySoon();
  else
    sendError(
      response,
      code === "ETIMEDOUT" || error.message.includes("silent for too long") ? 504 : 502,
      `the upstream could not be reached (${code || error.message})`,
    );
}

/** Closed by the other side, noticed while reading or while still writing. */
export function isBroken(error: Error): boolean {
  return ["ECONNRESET", "EPIPE"].includes(errorCode(error));
}

/** What was handed on before the reset is delivered first. */
function resetSoon({ socket }: ServerResponse): void {
  if (!socket) return;
  if (socket.writableLength === 0) socket.resetAndDestroy();
  else socket.once("drain", () => socket.resetAndDestroy());
}
