import type { Arrival } from "../core/event.ts";
import { type JsonObject, textField } from "../core/json.ts";
import type { Author, Block, ImagePart, ResultPart, TextBlock, ToolResultBlock } from "../core/message.ts";

/** Readers give blocks no ids: only editing needs them, and sets them from the request. */
const UNNAMED = "";

export type EventStamp = Pick<Arrival, "origin" | "atMs">;

export function createText(text: string, author: Author): TextBlock {
  return { kind: "text", id: UNNAMED, text, author };
}

export function createCall(callId: string, tool: string, input: JsonObject): Block {
  return { kind: "toolCall", id: UNNAMED, callId, tool, input };
}

export function createThinking(text: string, signature: string): Block {
  return { kind: "thinking", id: UNNAMED, text, signature };
}

export function createOpaque(type: string, raw: JsonObject): Block {
  return { kind: "opaque", id: UNNAMED, type, raw };
}

export function createImage(raw: JsonObject, data: string, mediaType: string): Block & ImagePart {
  return { kind: "image", id: UNNAMED, mediaType, encodedLength: data.length, raw };
}

/** `data:image/png;base64,…`, as some APIs write pictures. */
export function createImageOfUrl(raw: JsonObject, url: string): Block & ImagePart {
  const [, mediaType = "image/png"] = /^data:([\w/+.-]{1,80})[;,]/.exec(url) ?? [];
  return createImage(raw, url.slice(url.indexOf(",") + 1), mediaType);
}

export function createResult(
  callId: string,
  parts: readonly ResultPart[],
  { isError }: Pick<ToolResultBlock, "isError">,
): ToolResultBlock {
  return { kind: "toolResult", id: UNNAMED, callId, parts, isError };
}

type Arriving = EventStamp & Pick<Arrival, "source"> & Partial<Arrival>;

export function createArrival(block: Block, { origin, atMs, source, label, role, detail }: Arriving): Arrival {
  return { kind: "arrival", origin, atMs, source, label: label ?? source, role: role ?? "user", block, detail };
}

export function typeOf(raw: JsonObject): string {
  return textField(raw, "type") || "unknown";
}
