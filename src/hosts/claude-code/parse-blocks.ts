import { isObject, type Json, type JsonObject, objectField, textField } from "../../core/json.ts";
import type { Author, Block, ResultPart } from "../../core/message.ts";
import { createCall, createImage, createOpaque, createResult, createText, createThinking } from "../create-events.ts";

/** One content block of the Messages API as the client stores it. An unknown block becomes opaque. */
export function parseBlock(raw: JsonObject, author: Author): Block {
  switch (raw.type) {
    case "text":
      return createText(textField(raw, "text"), author);
    case "thinking":
    case "redacted_thinking":
      return createThinking(textField(raw, "thinking"), textField(raw, "signature") || textField(raw, "data"));
    case "tool_use":
      return createCall(textField(raw, "id"), textField(raw, "name"), objectField(raw, "input") ?? {});
    case "tool_result": {
      const isError = raw.is_error === true;
      return createResult(textField(raw, "tool_use_id"), parseResultParts(raw.content), { isError });
    }
    case "image": {
      const { mediaType, data } = readImageSource(raw);
      return createImage(raw, data, mediaType);
    }
    default:
      return createOpaque(textField(raw, "type"), raw);
  }
}

/** A message's content: a plain string is one text block. */
export function parseContent(content: Json | undefined, author: Author): readonly Block[] {
  if (typeof content === "string") return [createText(content, author)];
  return Array.isArray(content) ? content.filter(isObject).map((raw) => parseBlock(raw, author)) : [];
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
