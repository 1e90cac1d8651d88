import { isRecord } from "./messages-body.ts";
import type { StreamEvent } from "./render-events.ts";

/** Puts a streamed answer together again, by the rules of the API's documentation alone, so that tests have a second opinion. */
export function assembleMessage(events: readonly StreamEvent[]): Record<string, unknown> {
  let message: Record<string, unknown> = {};
  const blocks: Record<string, unknown>[] = [];
  const inputs = new Map<number, string>();
  for (const event of events) {
    const index = Number(event.index);
    if (event.type === "message_start" && isRecord(event.message)) message = { ...event.message };
    if (event.type === "content_block_start" && isRecord(event.content_block))
      blocks[index] = { ...event.content_block };
    if (event.type === "content_block_delta" && isRecord(event.delta)) {
      const block = blocks[index] ?? {};
      const { delta } = event;
      if (delta.type === "input_json_delta") inputs.set(index, (inputs.get(index) ?? "") + String(delta.partial_json));
      if (delta.type === "citations_delta" && Array.isArray(block.citations))
        block.citations = [...block.citations, delta.citation];
      for (const field of ["text", "thinking", "signature"]) {
        if (delta.type === `${field}_delta`) block[field] = String(block[field]) + String(delta[field]);
      }
    }
    if (event.type === "message_delta" && isRecord(event.delta) && isRecord(event.usage) && isRecord(message.usage)) {
      message = { ...message, ...event.delta, usage: { ...message.usage, ...event.usage } };
    }
  }
  for (const [index, json] of inputs) blocks[index] = { ...blocks[index], input: JSON.parse(json) };
  return { ...message, content: blocks };
}

/** Splits the text of a whole stream into its events; an unfinished last frame is left out. */
export function parseFrames(stream: string): readonly StreamEvent[] {
  const frames = stream.split("\n\n").slice(0, -1);
  return frames.map((frame) => {
    const data = frame.split("\n").find((line) => line.startsWith("data: ")) ?? "data: {}";
    return JSON.parse(data.slice("data: ".length));
  });
}
