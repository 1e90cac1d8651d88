import { type Json, type JsonObject, parseJson, textField } from "../../core/json.ts";
import type { Author, ImagePart, Role } from "../../core/message.ts";
import type { Draft, ParsedPart, Raw } from "../conversation.ts";
import { draftCall, parseOpaque, parsePart, parseResultParts } from "../draft.ts";
import { isJsonObject, isRecord } from "../is-json.ts";

/** Who speaks in an item; `undefined` if it is unknown. */
export function roleOf(item: Raw): Role | undefined {
  switch (item.type) {
    // Only a message may lack the type.
    case undefined:
    case "message":
      return MESSAGE_ROLES.get(item.role);
    case "reasoning":
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call":
    case "web_search_call":
      return "assistant";
    case "function_call_output":
    case "custom_tool_call_output":
    case "local_shell_call_output":
      return "user";
    default:
      return undefined;
  }
}

const MESSAGE_ROLES: ReadonlyMap<unknown, Role> = new Map<unknown, Role>(
  Object.entries({ user: "user", assistant: "assistant", developer: "system", system: "system" } as const),
);

/** One item of `input` as blocks: a message has one for each of its parts, everything else is one. */
export function parseItem(item: unknown, decideAuthor: (text: string) => Author): readonly ParsedPart[] {
  const role = isRecord(item) ? roleOf(item) : undefined;
  if (!isRecord(item) || role === undefined || item.type === "web_search_call") return [parseOpaque(item)];
  if (item.type !== undefined && item.type !== "message") return [parsePart(item, draftItem)];
  const draftText = (text: string): Draft => {
    const author = role === "user" ? decideAuthor(text) : role === "assistant" ? "model" : "host";
    return { kind: "text", text, author };
  };
  const { content } = item;
  if (typeof content === "string") return [{ draft: draftText(content), raw: item }];
  if (!Array.isArray(content) || content.length === 0 || !content.every(isRecord)) return [parseOpaque(item)];
  return content.map((raw: Raw) => {
    if (TEXT_PARTS.has(raw.type) && typeof raw.text === "string") return { draft: draftText(raw.text), raw };
    return parsePart(raw, (part) => {
      const image = parseImage(part);
      return image && { ...image, identity: nameImage(part) };
    });
  });
}

const TEXT_PARTS: ReadonlySet<unknown> = new Set(["input_text", "output_text", "text"]);

function draftItem(item: JsonObject): Draft | undefined {
  const { call_id: callId } = item;
  switch (item.type) {
    case "reasoning": {
      const text = renderSummary(item.summary);
      const signature = textField(item, "encrypted_content");
      return { kind: "thinking", text, signature, identity: signature || textField(item, "id") || text };
    }
    case "function_call":
      return draftCall(callId, item.name, parseCallArguments(item.arguments));
    case "custom_tool_call":
      return draftCall(callId, item.name, typeof item.input === "string" ? { input: item.input } : undefined);
    case "local_shell_call":
      return draftCall(callId, "local_shell", item.action);
    default: {
      const parts = parseResultParts(item.output, parseImage, TEXT_PARTS);
      if (typeof callId !== "string" || !parts) return undefined;
      return { kind: "toolResult", callId, parts, isError: false };
    }
  }
}

/** A model's arguments for a tool: text that should be JSON. */
export function parseCallArguments(raw: unknown): JsonObject | undefined {
  if (typeof raw !== "string") return undefined;
  if (raw.trim() === "") return {};
  const parsed = parseJson(raw);
  return isJsonObject(parsed) ? parsed : undefined;
}

function parseImage(raw: JsonObject): ImagePart | undefined {
  if (raw.type !== "input_image") return undefined;
  const data = nameImage(raw);
  return { kind: "image", mediaType: /^data:([^;,]+)/.exec(data)?.[1] ?? "", encodedLength: data.length, raw };
}

function nameImage(raw: JsonObject): string {
  return textField(raw, "image_url") || textField(raw, "file_id");
}

function renderSummary(summary: Json | undefined): string {
  const parts = Array.isArray(summary) ? summary.filter(isJsonObject) : [];
  return parts.map((part) => textField(part, "text")).join("\n");
}
