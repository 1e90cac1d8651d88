import type { Json, JsonObject } from "../../core/json.ts";
import type { Author, Block, ResultPart } from "../../core/message.ts";
import type { Identify, ParsedBlock } from "../conversation.ts";
import { isJsonObject } from "../is-json.ts";
import { parseOpaque, textOf } from "../opaque.ts";

/** One content block of the Messages API. What is not understood, or not whole, is opaque: it leaves as it came. */
export function parseBlock(raw: unknown, author: Author, identify: Identify): ParsedBlock {
  const block = isJsonObject(raw) ? understand(raw, author, identify) : undefined;
  return block ? { block, raw } : parseOpaque(raw, identify);
}

function understand(raw: JsonObject, author: Author, identify: Identify): Block | undefined {
  switch (raw.type) {
    case "text":
      if (typeof raw.text !== "string") return undefined;
      return { kind: "text", id: identify({ kind: "text", content: raw.text }), text: raw.text, author };
    case "thinking":
    case "redacted_thinking": {
      const text = textOf(raw, "thinking");
      const signature = textOf(raw, "signature") || textOf(raw, "data");
      return { kind: "thinking", id: identify({ kind: "thinking", content: signature || text }), text, signature };
    }
    case "tool_use": {
      const { id: callId, name: tool, input } = raw;
      if (typeof callId !== "string" || typeof tool !== "string" || !isJsonObject(input)) return undefined;
      return { kind: "toolCall", id: identify({ kind: "toolCall", callId }), callId, tool, input };
    }
    case "tool_result": {
      const { tool_use_id: callId, content } = raw;
      const parts = parseParts(content);
      if (typeof callId !== "string" || !parts) return undefined;
      const id = identify({ kind: "toolResult", callId });
      return { kind: "toolResult", id, callId, parts, isError: raw.is_error === true };
    }
    case "image": {
      const { mediaType, data } = parseImageSource(raw);
      const id = identify({ kind: "image", content: data });
      return { kind: "image", id, mediaType, encodedLength: data.length, raw };
    }
    default:
      return undefined;
  }
}

function parseParts(content: Json | undefined): readonly ResultPart[] | undefined {
  if (content === undefined) return [];
  if (typeof content === "string") return [{ kind: "text", text: content }];
  return Array.isArray(content) && content.every(isJsonObject) ? content.map(parsePart) : undefined;
}

function parsePart(raw: JsonObject): ResultPart {
  if (raw.type === "text" && typeof raw.text === "string") return { kind: "text", text: raw.text };
  if (raw.type !== "image") return { kind: "opaque", raw };
  const { mediaType, data } = parseImageSource(raw);
  return { kind: "image", mediaType, encodedLength: data.length, raw };
}

function parseImageSource({ source }: JsonObject): { readonly mediaType: string; readonly data: string } {
  const found = isJsonObject(source) ? source : {};
  const data = textOf(found, "data") || textOf(found, "url") || textOf(found, "file_id");
  return { mediaType: textOf(found, "media_type"), data };
}
