import { renderSseFrame } from "../../library/stream/render-sse-frame.ts";
import { createSession } from "../../session/session.ts";
import { renderRecord } from "../../survive/record/record.ts";
import { createTrail } from "../../survive/record/trail.ts";
import { isRecord } from "../../wire/is-json.ts";
import { CLIENT } from "./request/parse-request.ts";

export interface CompactionAnswer {
  readonly contentType: string;
  readonly body: Buffer;
}

/** Why an answer ends that says all it has to say, in the API's word. */
export const PLAIN_STOP = "end_turn";

interface Asked {
  /** The client's own messages, the question for a summary among them. */
  readonly messages: readonly object[];
  readonly model: string;
  readonly isStream: boolean;
  readonly id: string;
}

/** The record of what happened in the place of a model's summary: in milliseconds, and the same for the same history. */
export function renderCompactionAnswer({ messages, model, isStream, id }: Asked): CompactionAnswer {
  const question = messages.findLastIndex((message) => isRecord(message) && message.role === "user");
  const text = `<summary>\n${renderHistory(messages.slice(0, question))}\n</summary>`;
  const usage = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 };
  const message = { id, type: "message", role: "assistant", model, stop_sequence: null, usage };
  const block = { type: "text", text };
  if (!isStream) {
    const body = Buffer.from(JSON.stringify({ ...message, content: [block], stop_reason: PLAIN_STOP }));
    return { contentType: "application/json", body };
  }
  const events = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: PLAIN_STOP, stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
  const frames = events.map((event) => renderSseFrame({ event: event.type, data: JSON.stringify(event) }));
  const body = Buffer.concat(frames);
  return { contentType: "text/event-stream; charset=utf-8", body };
}

function renderHistory(messages: readonly object[]): string {
  const { vocabulary, readMessages } = CLIENT;
  const session = createSession(vocabulary);
  const trail = createTrail(vocabulary);
  for (const event of readMessages(messages.map(spellOut))) {
    session.feed(event);
    trail.feed(event);
  }
  return renderRecord({ state: session.state(), trail: trail.state() }).text;
}

/** A bare string is one text block. */
function spellOut(message: object): object {
  return isRecord(message) && typeof message.content === "string"
    ? { ...message, content: [{ type: "text", text: message.content }] }
    : message;
}
