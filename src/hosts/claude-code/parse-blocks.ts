import type { Identity } from "../../core/block-id.ts";
import { isObject, type Json, type JsonObject, objectField, textField } from "../../core/json.ts";
import type { Author, Block, ResultPart } from "../../core/message.ts";

export type Identify = (identity: Identity) => string;

/** One content block of the Messages API as the client stores it. An unknown block becomes opaque. */
export function parseBlock(raw: JsonObject, author: Author, identify: Identify): Block {
  switch (raw.type) {
    case "text": {
      const text = textField(raw, "text");
      return { kind: "text", id: identify({ kind: "text", content: text }), text, author };
    }
    case "thinking":
    case "redacted_thinking": {
      const text = textField(raw, "thinking");
      const signature = textField(raw, "signature") || textField(raw, "data");
      return { kind: "thinking", id: identify({ kind: "thinking", content: signature || text }), text, signature };
    }
    case "tool_use": {
      const callId = textField(raw, "id");
      const id = identify({ kind: "toolCall", callId });
      return { kind: "toolCall", id, callId, tool: textField(raw, "name"), input: objectField(raw, "input") ?? {} };
    }
    case "tool_result": {
      const callId = textField(raw, "tool_use_id");
      const id = identify({ kind: "toolResult", callId });
      return { kind: "toolResult", id, callId, parts: parseResultParts(raw.content), isError: raw.is_error === true };
    }
    case "image": {
      const { mediaType, data } = readImageSource(raw);
      const id = identify({ kind: "image", content: data });
      return { kind: "image", id, mediaType, encodedLength: data.length, raw };
    }
    default: {
      const id = identify({ kind: "opaque", content: JSON.stringify(raw) });
      return { kind: "opaque", id, type: textField(raw, "type"), raw };
    }
  }
}

/** A message's content: a plain string is one text block. */
export function parseContent(content: Json | undefined, author: Author, identify: Identify): readonly Block[] {
  if (typeof content === "string") return [parseBlock({ type: "text", text: content }, author, identify)];
  if (!Array.isArray(content)) return [];
  return content.filter(isObject).map((raw) => parseBlock(raw, author, identify));
}

function parseResultParts(content: Json | undefined): readonly ResultPart[] {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.filter(isObject).map((raw): ResultPart => {
    if (raw.type === "text") return { kind: "text", text: textField(raw, "text") };
    if (raw.type !== "image") return { kind: "opaque", raw };
    const { mediaType, data } = readImageSource(raw);
    return { kind: "image", mediaType, encodedLength: data.length, raw };
  });
}

function readImageSource(raw: JsonObject): { readonly mediaType: string; readonly data: string } {
  const source = objectField(raw, "source") ?? {};
  return { mediaType: textField(source, "media_type"), data: textField(source, "data") || textField(source, "url") };
}
