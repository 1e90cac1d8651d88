import { type Json, type JsonObject, parseJson, textField } from "../../core/json.ts";
import type { Author, Block, ResultPart, Role } from "../../core/message.ts";
import type { Identify, ParsedBlock } from "../conversation.ts";
import { isJsonObject, isRecord } from "../is-json.ts";
import { parseOpaque } from "../opaque.ts";

export type DecideAuthor = (text: string) => Author;

/** Who speaks in an item; `undefined` if it is unknown. */
export function roleOf(item: Readonly<Record<string, unknown>>): Role | undefined {
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

const MESSAGE_ROLES: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  ["user", "user"],
  ["assistant", "assistant"],
  ["developer", "system"],
  ["system", "system"],
]);

/** One item of `input` as blocks: a message has one for each of its parts, everything else is one. */
export function parseItem(item: unknown, decideAuthor: DecideAuthor, identify: Identify): readonly ParsedBlock[] {
  if (!isRecord(item)) return [parseOpaque(item, identify)];
  const role = roleOf(item);
  if (role === undefined || item.type === "web_search_call") return [parseOpaque(item, identify)];
  if (item.type === undefined || item.type === "message") return parseParts(item, { role, decideAuthor }, identify);
  const block = isJsonObject(item) ? understand(item, identify) : undefined;
  return [block ? { block, raw: item } : parseOpaque(item, identify)];
}

function parseParts(
  item: Readonly<Record<string, unknown>>,
  { role, decideAuthor }: { readonly role: Role; readonly decideAuthor: DecideAuthor },
  identify: Identify,
): readonly ParsedBlock[] {
  const authorOf = (text: string): Author => {
    if (role === "user") return decideAuthor(text);
    return role === "assistant" ? "model" : "host";
  };
  const toText = (text: string, raw: unknown): ParsedBlock => {
    return {
      block: { kind: "text", id: identify({ kind: "text", content: text }), text, author: authorOf(text) },
      raw,
    };
  };
  const { content } = item;
  if (typeof content === "string") return [toText(content, item)];
  if (!Array.isArray(content) || content.length === 0 || !content.every(isRecord)) return [parseOpaque(item, identify)];
  return content.map((part: Readonly<Record<string, unknown>>): ParsedBlock => {
    if (TEXT_PARTS.has(part.type) && typeof part.text === "string") return toText(part.text, part);
    if (part.type !== "input_image" || !isJsonObject(part)) return parseOpaque(part, identify);
    const data = textField(part, "image_url") || textField(part, "file_id");
    const id = identify({ kind: "image", content: data });
    return {
      block: { kind: "image", id, mediaType: mediaTypeOf(data), encodedLength: data.length, raw: part },
      raw: part,
    };
  });
}

const TEXT_PARTS: ReadonlySet<unknown> = new Set(["input_text", "output_text", "text"]);

function understand(item: JsonObject, identify: Identify): Block | undefined {
  const { call_id: callId } = item;
  switch (item.type) {
    case "reasoning": {
      const text = renderSummary(item.summary);
      const signature = textField(item, "encrypted_content");
      const id = identify({ kind: "thinking", content: signature || textField(item, "id") || text });
      return { kind: "thinking", id, text, signature };
    }
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call": {
      const call = parseCall(item);
      return call && { kind: "toolCall", id: identify({ kind: "toolCall", callId: call.callId }), ...call };
    }
    default: {
      const parts = parseOutput(item.output);
      if (typeof callId !== "string" || !parts) return undefined;
      return { kind: "toolResult", id: identify({ kind: "toolResult", callId }), callId, parts, isError: false };
    }
  }
}

/** A call that needs an answer, in any of its three forms. */
function parseCall(
  item: JsonObject,
): { readonly callId: string; readonly tool: string; readonly input: JsonObject } | undefined {
  const { call_id: callId, name } = item;
  if (typeof callId !== "string") return undefined;
  if (item.type === "local_shell_call")
    return isJsonObject(item.action) ? { callId, tool: "local_shell", input: item.action } : undefined;
  if (typeof name !== "string") return undefined;
  if (item.type === "custom_tool_call")
    return typeof item.input === "string" ? { callId, tool: name, input: { input: item.input } } : undefined;
  const input = item.type === "function_call" ? parseCallArguments(item.arguments) : undefined;
  return input && { callId, tool: name, input };
}

/** A model's arguments for a tool: text that should be JSON. */
export function parseCallArguments(told: Json | undefined): JsonObject | undefined {
  if (typeof told !== "string") return undefined;
  if (told.trim() === "") return {};
  const parsed = parseJson(told);
  return isJsonObject(parsed) ? parsed : undefined;
}

function parseOutput(output: Json | undefined): readonly ResultPart[] | undefined {
  if (typeof output === "string") return [{ kind: "text", text: output }];
  return Array.isArray(output) && output.every(isJsonObject) ? output.map(parseOutputPart) : undefined;
}

function parseOutputPart(raw: JsonObject): ResultPart {
  if (TEXT_PARTS.has(raw.type) && typeof raw.text === "string") return { kind: "text", text: raw.text };
  if (raw.type !== "input_image") return { kind: "opaque", raw };
  const data = textField(raw, "image_url") || textField(raw, "file_id");
  return { kind: "image", mediaType: mediaTypeOf(data), encodedLength: data.length, raw };
}

function mediaTypeOf(url: string): string {
  return /^data:([^;,]+)/.exec(url)?.[1] ?? "";
}

function renderSummary(summary: Json | undefined): string {
  const parts = Array.isArray(summary) ? summary.filter(isJsonObject) : [];
  return parts.map((part) => textField(part, "text")).join("\n");
}
