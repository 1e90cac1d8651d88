import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { letOthersRead } from "../support/let-others-read.ts";
import type { RenderedMessage } from "./render-answer.ts";
import { renderEvents, renderFrame } from "./render-events.ts";
import type { Answer, BrokenStream, Refusal, Reply } from "./scenario.ts";
import { type Pace, streamEvents } from "./stream-events.ts";

/** A client in a process of its own reads a write well within this. */
const RESET_DELAY_MS = 100;

export interface ReplyPlace {
  readonly requestId: string;
  readonly isStream: boolean;
  readonly pace: Pace;
  /** Called once, and only for replies that have an answer. */
  readonly render: (answer: Answer) => RenderedMessage;
}

export async function sendReply(response: ServerResponse, reply: Reply, place: ReplyPlace): Promise<void> {
  response.setHeader("request-id", place.requestId);
  if (reply.kind === "refusal") sendError(response, reply);
  else if (reply.kind === "broken") await sendBroken(response, reply, place);
  else if (reply.kind === "answer") await sendAnswer(response, reply, place);
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

export function sendError(response: ServerResponse, refusal: Refusal): void {
  setHeaders(response, refusal);
  sendJson(response, refusal.status, {
    type: "error",
    error: { type: refusal.errorType, message: refusal.message },
  });
}

function setHeaders(response: ServerResponse, { headers = {} }: Answer | Refusal): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

async function sendAnswer(response: ServerResponse, answer: Answer, place: ReplyPlace): Promise<void> {
  setHeaders(response, answer);
  const message = place.render(answer);
  if (!place.isStream) {
    sendJson(response, 200, message);
    return;
  }
  startStream(response);
  await streamEvents(response, renderEvents(message), place.pace);
  response.end();
}

async function sendBroken(response: ServerResponse, reply: BrokenStream, place: ReplyPlace): Promise<void> {
  const events = renderEvents(place.render(reply.answer));
  startStream(response);
  await streamEvents(response, events.slice(0, reply.afterEvents), place.pace);
  if (reply.how === "error_event") {
    const error = { type: "overloaded_error", message: "Overloaded" };
    response.end(renderFrame({ type: "error", error }));
    return;
  }
  const next = events[reply.afterEvents];
  const frame = next === undefined ? "" : renderFrame(next);
  if (reply.how === "half_frame") {
    response.end(frame.slice(0, Math.ceil(frame.length / 2)));
    return;
  }
  // Only once the good part has left for sure does the reset hit in mid-stream and not before it.
  await wait(RESET_DELAY_MS);
  await letOthersRead();
  response.socket?.resetAndDestroy();
}

function startStream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
}
