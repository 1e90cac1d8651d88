import { type JsonObject, textField } from "../../core/json.ts";
import type { Author, Block, Message, ResultPart, Role, ToolResultBlock } from "../../core/message.ts";
import type { Format, Identify, ParsedBlock, ParsedMessage, WireMessage } from "../conversation.ts";
import { isJsonObject, isRecord } from "../is-json.ts";
import { parseOpaque, parseOpaqueMessage, renderIdentity } from "../opaque.ts";

/** Reads and writes the AI SDK's `ModelMessage`s (version 5 or later). */
export const aiSdkFormat: Format = { parseMessage, renderBlock: renderPart, renderMessage };

interface Part {
  readonly role: Role;
  readonly author: Author;
}

/** Results have a role of their own there; everywhere else they are on the user's side of the conversation. */
const ROLES: ReadonlyMap<unknown, Part> = new Map<unknown, Part>([
  ["user", { role: "user", author: "person" }],
  ["tool", { role: "user", author: "host" }],
  ["assistant", { role: "assistant", author: "model" }],
  ["system", { role: "system", author: "host" }],
]);

function parseMessage(raw: unknown, identify: Identify): ParsedMessage {
  const part = isRecord(raw) ? ROLES.get(raw.role) : undefined;
  if (!isRecord(raw) || !part) return parseOpaqueMessage(raw, identify);
  const content = typeof raw.content === "string" ? [{ type: "text", text: raw.content }] : raw.content;
  if (!Array.isArray(content) || !content.every(isRecord)) return parseOpaqueMessage(raw, identify);
  const speaker = { role: String(raw.role), author: part.author };
  return { role: part.role, blocks: content.map((block) => parsePart(block, speaker, identify)) };
}

function renderMessage(message: Message, parts: readonly object[], source: unknown): WireMessage {
  const raw = isRecord(source) ? source : {};
  const role = typeof raw.role === "string" ? raw.role : message.role;
  const mayBeString = typeof raw.content === "string" || role === "system";
  return { ...raw, role, content: (mayBeString ? joinTexts(parts) : undefined) ?? parts };
}

/** A system message is always a string, and stays one as long as it has only text. */
function joinTexts(parts: readonly object[]): string | undefined {
  const texts = parts.map((part) => (isRecord(part) && part.type === "text" ? part.text : undefined));
  const isPlain = parts.every((part) => !("providerOptions" in part));
  return isPlain && texts.every((text) => typeof text === "string") ? texts.join("\n") : undefined;
}

/** Writes a part that was changed, or that a layer made. Provider options stay: breakpoints of the prompt cache are among them. */
function renderPart(block: Block, source: unknown): object {
  const raw = isRecord(source) ? source : {};
  switch (block.kind) {
    case "text":
      return raw.type === "text" ? { ...raw, text: block.text } : { type: "text", text: block.text, ...keep(raw) };
    case "toolCall":
      return { ...raw, type: "tool-call", toolCallId: block.callId, toolName: block.tool, input: block.input };
    case "toolResult":
      return { ...raw, type: "tool-result", toolCallId: block.callId, output: renderOutput(block, raw.output) };
    case "thinking":
      return { type: "reasoning", text: block.text };
    case "image":
    case "opaque":
      return block.raw;
  }
}

function renderOutput({ parts, isError }: ToolResultBlock, before: unknown): object {
  const [only] = parts;
  if (parts.length === 1 && only?.kind === "text")
    return { type: isError ? "error-text" : "text", value: only.text, ...keep(before) };
  return { type: "content", value: parts.map(renderOutputPart), ...keep(before) };
}

function renderOutputPart(part: ResultPart): object {
  return part.kind === "text" ? { type: "text", text: part.text } : part.raw;
}

function keep(raw: unknown): object {
  return isRecord(raw) && raw.providerOptions !== undefined ? { providerOptions: raw.providerOptions } : {};
}

interface PartSpeaker {
  readonly role: string;
  readonly author: Author;
}

/** One content part of a `ModelMessage`. An unknown part, or one with bytes or URL objects, is opaque. */
function parsePart(raw: unknown, speaker: PartSpeaker, identify: Identify): ParsedBlock {
  const block = isJsonObject(raw) ? understand(raw, speaker, identify) : undefined;
  return block ? { block, raw } : parseOpaque(raw, identify);
}

function understand(raw: JsonObject, { role, author }: PartSpeaker, identify: Identify): Block | undefined {
  switch (raw.type) {
    case "text":
      if (typeof raw.text !== "string") return undefined;
      return { kind: "text", id: identify({ kind: "text", content: raw.text }), text: raw.text, author };
    case "reasoning":
      // Its signature is in the provider options of the part, and is sent back with them.
      return {
        kind: "thinking",
        id: identify({ kind: "thinking", content: renderIdentity(raw) }),
        text: textField(raw, "text"),
        signature: "",
      };
    case "tool-call": {
      const { toolCallId: callId, toolName: tool, input } = raw;
      if (typeof callId !== "string" || typeof tool !== "string" || !isJsonObject(input)) return undefined;
      if (raw.providerExecuted === true) return undefined;
      return { kind: "toolCall", id: identify({ kind: "toolCall", callId }), callId, tool, input };
    }
    case "tool-result":
      // In an assistant message it is a tool of the provider: call and result stay together unchanged.
      return role === "tool" ? parseResult(raw, identify) : undefined;
    case "image":
    case "file":
      return parseImage(raw, identify);
    default:
      return undefined;
  }
}

function parseImage(raw: JsonObject, identify: Identify): Block | undefined {
  const data = textField(raw, raw.type === "image" ? "image" : "data");
  const mediaType = textField(raw, "mediaType") || (raw.type === "image" ? "image/*" : "");
  if (data === "" || !mediaType.startsWith("image/")) return undefined;
  return { kind: "image", id: identify({ kind: "image", content: data }), mediaType, encodedLength: data.length, raw };
}

function parseResult(raw: JsonObject, identify: Identify): Block | undefined {
  const { toolCallId: callId, output } = raw;
  if (typeof callId !== "string" || !isJsonObject(output)) return undefined;
  const id = identify({ kind: "toolResult", callId });
  const isError = output.type === "error-text" || output.type === "error-json";
  return { kind: "toolResult", id, callId, parts: parseOutput(output), isError };
}

function parseOutput(output: JsonObject): readonly ResultPart[] {
  const { type, value } = output;
  if ((type === "text" || type === "error-text") && typeof value === "string") return [{ kind: "text", text: value }];
  if ((type === "json" || type === "error-json") && value !== undefined)
    return [{ kind: "text", text: JSON.stringify(value) }];
  if (type === "content" && Array.isArray(value) && value.every(isJsonObject)) return value.map(parseOutputPart);
  return [{ kind: "opaque", raw: output }];
}

function parseOutputPart(raw: JsonObject): ResultPart {
  if (raw.type === "text" && typeof raw.text === "string") return { kind: "text", text: raw.text };
  const mediaType = textField(raw, "mediaType");
  const isImage = raw.type === "image-data" || (raw.type === "media" && mediaType.startsWith("image/"));
  return isImage
    ? { kind: "image", mediaType, encodedLength: textField(raw, "data").length, raw }
    : { kind: "opaque", raw };
}
