import { type JsonObject, objectField, textField } from "../../core/json.ts";
import type { Author, Block, ImagePart, Message, ResultPart, ToolResultBlock } from "../../core/message.ts";
import { type Draft, type Format, isRecord, type Raw } from "../conversation.ts";
import { draftCall, draftText, findOnlyText, type Party, parseResultParts, parseSpoken } from "../draft.ts";

const PARTIES = { user: "person", assistant: "model", system: "system" } as const;

/** Reads and writes the `messages` of a Messages API request. By default the person wrote every user message. */
export function createAnthropicFormat(decideAuthor: (text: string) => Author = () => "person"): Format {
  const understand = (part: JsonObject, party: Party): Draft | undefined =>
    draftPart(part, party === "person" && typeof part.text === "string" ? decideAuthor(part.text) : party);
  return { parseMessage: (raw) => parseSpoken(raw, PARTIES, understand), renderBlock, renderMessage };
}

function renderMessage(message: Message, blocks: readonly object[], raw: Raw = {}): object {
  return { ...raw, role: message.role, content: asString(raw.content, blocks) ?? blocks };
}

/** A string stays a string as long as it has only text. */
function asString(before: unknown, blocks: readonly object[]): string | undefined {
  const [only] = blocks;
  if (typeof before !== "string" || blocks.length !== 1 || !isRecord(only)) return undefined;
  return only.type === "text" && typeof only.text === "string" ? only.text : undefined;
}

/** One content block of the Messages API. */
function draftPart(raw: JsonObject, party: Party): Draft | undefined {
  switch (raw.type) {
    case "text":
      return draftText(raw.text, party);
    case "thinking":
    case "redacted_thinking": {
      const text = textField(raw, "thinking");
      const signature = textField(raw, "signature") || textField(raw, "data");
      return { kind: "thinking", text, signature, identity: signature || text };
    }
    case "tool_use":
      return draftCall(raw.id, raw.name, raw.input);
    case "tool_result": {
      const { tool_use_id: callId, content } = raw;
      const parts = content === undefined ? [] : parseResultParts(content, parseImage);
      if (typeof callId !== "string" || !parts) return undefined;
      return { kind: "toolResult", callId, parts, isError: raw.is_error === true };
    }
    default: {
      const image = parseImage(raw);
      return image && { ...image, identity: nameImage(raw) };
    }
  }
}

function parseImage(raw: JsonObject): ImagePart | undefined {
  if (raw.type !== "image") return undefined;
  const mediaType = textField(objectField(raw, "source") ?? {}, "media_type");
  return { kind: "image", mediaType, encodedLength: nameImage(raw).length, raw };
}

function nameImage(raw: JsonObject): string {
  const source = objectField(raw, "source") ?? {};
  return textField(source, "data") || textField(source, "url") || textField(source, "file_id");
}

/** Writes a block that was changed, or that a layer made. All other fields of its source stay: breakpoints, citations, and whatever the API adds later. */
export function renderBlock(block: Block, raw: Raw = {}): object {
  switch (block.kind) {
    case "text":
      return raw.type === "text"
        ? { ...raw, text: block.text }
        : { type: "text", text: block.text, ...keepBreakpoint(raw) };
    case "toolCall":
      return { ...raw, type: "tool_use", id: block.callId, name: block.tool, input: block.input };
    case "toolResult":
      return renderResult(block, raw);
    case "thinking":
      return { type: "thinking", thinking: block.text, signature: block.signature };
    default:
      return block.raw;
  }
}

function renderResult(block: ToolResultBlock, raw: Raw): object {
  const content = typeof raw.content === "string" ? findOnlyText(block.parts) : undefined;
  return {
    ...raw,
    type: "tool_result",
    tool_use_id: block.callId,
    content: content ?? block.parts.map((part) => renderPart(part, raw.content)),
    ...(block.isError === (raw.is_error === true) ? {} : { is_error: block.isError }),
  };
}

function renderPart(part: ResultPart, before: unknown): object {
  if (part.kind !== "text") return part.raw;
  const marked = Array.isArray(before) ? before.findLast((item) => isRecord(item) && "cache_control" in item) : {};
  return { type: "text", text: part.text, ...keepBreakpoint(marked) };
}

/** Without its breakpoint the whole request would be expensive. */
function keepBreakpoint(raw: unknown): object {
  return isRecord(raw) && raw.cache_control !== undefined ? { cache_control: raw.cache_control } : {};
}
