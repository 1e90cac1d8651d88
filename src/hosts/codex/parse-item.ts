import {
  countField,
  isObject,
  type JsonObject,
  listField,
  objectField,
  parseJson,
  textField,
} from "../../core/json.ts";
import type { Block, ResultPart } from "../../core/message.ts";
import type { Usage } from "../../core/usage.ts";
import {
  createCall,
  createImageOfUrl,
  createOpaque,
  createResult,
  createText,
  createThinking,
  typeOf,
} from "../create-events.ts";
import { decidePromptAuthor } from "./prompt-author.ts";
import { parseExitCode } from "./vocabulary.ts";

export type Item =
  | { readonly kind: "answer"; readonly blocks: readonly Block[] }
  | { readonly kind: "result"; readonly callId: string; readonly block: Block }
  | { readonly kind: "said"; readonly role: "user" | "system"; readonly blocks: readonly Block[] }
  | { readonly kind: "unknown"; readonly block: Block };

export function parseItem(raw: JsonObject): Item {
  const type = typeOf(raw);
  switch (type) {
    case "message":
      return parseMessage(raw);
    case "reasoning":
      return { kind: "answer", blocks: [parseReasoning(raw)] };
    case "function_call":
      return answer(createCall(textField(raw, "call_id"), nameTool(raw), parseArguments(raw)));
    case "custom_tool_call":
      return answer(createCall(textField(raw, "call_id"), nameTool(raw), { input: textField(raw, "input") }));
    case "local_shell_call":
      return answer(createCall(textField(raw, "call_id"), "local_shell", objectField(raw, "action") ?? {}));
    case "tool_search_call":
      return answer(createCall(textField(raw, "call_id"), "tool_search", objectField(raw, "arguments") ?? {}));
    // Run on the API's side: no result comes.
    case "web_search_call":
    case "image_generation_call":
      return answer(createOpaque(type, raw));
    case "function_call_output":
    case "custom_tool_call_output":
    case "mcp_tool_call_output":
    case "local_shell_call_output":
      return parseOutput(raw);
    case "tool_search_output":
      return resultOf(raw, [{ kind: "opaque", raw }]);
    // Replaces everything before it, in a form that only its maker can read.
    case "compaction":
    case "compaction_summary":
    case "context_compaction":
      return { kind: "said", role: "user", blocks: [createOpaque(type, raw)] };
    default:
      return { kind: "unknown", block: createOpaque(type, raw) };
  }
}

function answer(block: Block): Item {
  return { kind: "answer", blocks: [block] };
}

function parseMessage(raw: JsonObject): Item {
  const role = textField(raw, "role");
  const content = listField(raw, "content").filter(isObject);
  if (role === "assistant") return { kind: "answer", blocks: content.map((part) => parsePart(part, () => "model")) };
  if (role === "user")
    return { kind: "said", role: "user", blocks: content.map((part) => parsePart(part, decidePromptAuthor)) };
  return { kind: "said", role: "system", blocks: content.map((part) => parsePart(part, () => "host")) };
}

function parsePart(part: JsonObject, authorOf: (text: string) => "person" | "model" | "host"): Block {
  if (part.type === "input_image") return createImageOfUrl(part, textField(part, "image_url"));
  if (typeof part.text !== "string") return createOpaque(typeOf(part), part);
  return createText(part.text, authorOf(part.text));
}

/** Its content is encrypted, and is sent back as it came. */
function parseReasoning(raw: JsonObject): Block {
  const texts = [...listField(raw, "summary"), ...listField(raw, "content")].filter(isObject);
  const text = texts.map((part) => textField(part, "text")).join("\n");
  return createThinking(text, textField(raw, "encrypted_content"));
}

/** Tools of servers come with the server's name in a separate field. */
function nameTool(raw: JsonObject): string {
  return textField(raw, "namespace") + textField(raw, "name");
}

function parseArguments(raw: JsonObject): JsonObject {
  const text = textField(raw, "arguments");
  const parsed = parseJson(text);
  if (isObject(parsed)) return parsed;
  // A model's slip: passed on as it came.
  return text === "" ? {} : { arguments: text };
}

function parseOutput(raw: JsonObject): Item {
  const { output } = raw;
  if (typeof output === "string") return resultOf(raw, [{ kind: "text", text: output }]);
  if (Array.isArray(output)) return resultOf(raw, output.filter(isObject).map(parseResultPart));
  return isObject(output) ? resultOf(raw, [parseResultPart(output)]) : resultOf(raw, []);
}

function parseResultPart(part: JsonObject): ResultPart {
  if (part.type === "input_image") return createImageOfUrl(part, textField(part, "image_url"));
  const text = textField(part, "text") || textField(part, "content");
  return text === "" ? { kind: "opaque", raw: part } : { kind: "text", text };
}

/** A result has no error flag: the client writes the exit code into its text. */
function resultOf(raw: JsonObject, parts: readonly ResultPart[]): Item {
  const callId = textField(raw, "call_id");
  const [first] = parts;
  const code = first?.kind === "text" ? parseExitCode(first.text) : undefined;
  return { kind: "result", callId, block: createResult(callId, parts, { isError: code !== undefined && code !== 0 }) };
}

/** The input count is the total: cache reads and cache writes (from 0.166 on) are parts of it. */
export function parseUsage(raw: JsonObject): Usage {
  const input = countField(raw, "input_tokens");
  const cacheReadTokens = Math.min(countField(raw, "cached_input_tokens"), input);
  const cacheWrite5mTokens = Math.min(countField(raw, "cache_write_input_tokens"), input - cacheReadTokens);
  const outputTokens = countField(raw, "output_tokens");
  const thoughtTokens = Math.min(countField(raw, "reasoning_output_tokens"), outputTokens);
  return {
    inputTokens: input - cacheReadTokens - cacheWrite5mTokens,
    cacheReadTokens,
    cacheWrite5mTokens,
    cacheWrite1hTokens: 0,
    outputTokens,
    ...(thoughtTokens > 0 && { thoughtTokens }),
  };
}
