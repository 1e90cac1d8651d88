import type { ServerResponse } from "node:http";
import { letOthersRead } from "../support/let-others-read.ts";
import type { RenderedMessage } from "./render-answer.ts";
import { renderEvents, renderFrame } from "./render-events.ts";
import type { Answer, BrokenStream, Refusal, Reply } from "./scenario.ts";

/** A client in a process of its own reads a write well within this. */
const RESET_DELAY_MS = 100;

export interface ReplyPlace {
  readonly requestId: string;
  readonly isStream: boolean;
  /** Called once, and only for replies that have an answer. */
  readonly render: (answer: Answer) => RenderedMessage;
}

export function sendReply(response: ServerResponse, reply: Reply, place: ReplyPlace): void {
  response.setHeader("request-id", place.requestId);
  if (reply.kind === "refusal") sendError(response, reply);
  else if (reply.kind === "broken") sendBroken(response, reply, place);
  else if (reply.kind === "answer") sendAnswer(response, place.render(reply), place);
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

export function sendError(response: ServerResponse, refusal: Refusal): void {
  for (const [name, value] of Object.entries(refusal.headers ?? {})) response.setHeader(name, value);
  sendJson(response, refusal.status, {
    type: "error",
    error: { type: refusal.errorType, message: refusal.message },
  });
}

function sendAnswer(response: ServerResponse, message: RenderedMessage, place: ReplyPlace): void {
  if (!place.isStream) {
    sendJson(response, 200, message);
    return;
  }
  startStream(response);
  for (const event of renderEvents(message)) response.write(renderFrame(event));
  response.end();
}

function sendBroken(response: ServerResponse, reply: BrokenStream, place: ReplyPlace): void {
  const events = renderEvents(place.render(reply.answer));
  startStream(response);
  const whole = events.slice(0, reply.afterEvents).map(renderFrame).join("");
  if (reply.how === "error_event") {
    const error = { type: "overloaded_error", message: "Overloaded" };
    response.end(whole + renderFrame({ type: "error", error }));
    return;
  }
  const next = events[reply.afterEvents];
  const frame = next === undefined ? "" : renderFrame(next);
  if (reply.how === "half_frame") {
    response.end(whole + frame.slice(0, Math.ceil(frame.length / 2)));
    return;
  }
  // Only once the good part has left for sure does the reset hit in mid-stream and not before it.
  const reset = (): void => void letOthersRead().then(() => response.socket?.resetAndDestroy());
  response.write(whole, () => setTimeout(reset, RESET_DELAY_MS));
}

function startStream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
}
