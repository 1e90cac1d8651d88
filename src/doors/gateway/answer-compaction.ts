import type { Original } from "../../layers/history/originals.ts";
import { renderSseFrame } from "../../library/stream/sse-frames.ts";
import { type PutAway, putAway } from "./put-away.ts";
import type { CompactionBody, CompactionCall, WrittenRecord } from "./wire.ts";

export const PLAIN_STOP = "end_turn";

export function putAwayMessages({ request: { bytes, list } }: CompactionCall, whose: PutAway): Original {
  return putAway(whose, bytes.toString("utf8", list.start, list.end));
}

/** The record of what happened, in place of a model's summary. */
export function renderCompactionAnswer(
  { request, session }: CompactionCall,
  { text: record }: WrittenRecord,
): CompactionBody {
  const { model, isStream } = request.fields;
  const id = `msg_plimsoll_${session}`;
  const text = `<summary>\n${record}\n</summary>`;
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
