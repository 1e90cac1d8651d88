import { type JsonObject, textField } from "../../core/json.ts";
import type { Block, ImagePart, Message, ResultPart, ToolResultBlock } from "../../core/message.ts";
import { type Draft, type Format, isJsonObject, isRecord, type Raw } from "../conversation.ts";
import {
  draftCall,
  draftText,
  findOnlyText,
  type Party,
  parseResultParts,
  parseSpoken,
  renderIdentity,
  renderResultParts,
} from "../draft.ts";

/** Reads and writes the AI SDK's `ModelMessage`s (version 5 or later). */
export const aiSdkFormat: Format = {
  parseMessage: (raw) => parseSpoken(raw, PARTIES, draftPart),
  renderBlock: renderPart,
  renderMessage,
};

/** Results have a role of their own there; everywhere else they are on the user's side of the conversation. */
const PARTIES = { user: "person", tool: "host", assistant: "model", system: "system" } as const;

function renderMessage(message: Message, parts: readonly object[], raw: Raw = {}): object {
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
function renderPart(block: Block, raw: Raw = {}): object {
  switch (block.kind) {
    case "text":
      return raw.type === "text" ? { ...raw, text: block.text } : { type: "text", text: block.text, ...keep(raw) };
    case "toolCall":
      return { ...raw, type: "tool-call", toolCallId: block.callId, toolName: block.tool, input: block.input };
    case "toolResult":
      return { ...raw, type: "tool-result", toolCallId: block.callId, output: renderOutput(block, raw.output) };
    case "thinking":
      return { type: "reasoning", text: block.text };
    default:
      return block.raw;
  }
}

function renderOutput({ parts, isError }: ToolResultBlock, before: unknown): object {
  const value = findOnlyText(parts);
  if (value !== undefined) return { type: isError ? "error-text" : "text", value, ...keep(before) };
  return { type: "content", value: renderResultParts(parts), ...keep(before) };
}

function keep(raw: unknown): object {
  return isRecord(raw) && raw.providerOptions !== undefined ? { providerOptions: raw.providerOptions } : {};
}

function draftPart(raw: JsonObject, party: Party): Draft | undefined {
  switch (raw.type) {
    case "text":
      return draftText(raw.text, party);
    case "reasoning":
      // Its signature is in the provider options of the part, and is sent back with them.
      return { kind: "thinking", text: textField(raw, "text"), signature: "", identity: renderIdentity(raw) };
    case "tool-call":
      if (raw.providerExecuted === true) return undefined;
      return draftCall(raw.toolCallId, raw.toolName, raw.input);
    case "tool-result":
      // In an assistant message it is a tool of the provider: call and result stay together unchanged.
      return party === "host" ? draftResult(raw) : undefined;
    case "image":
    case "file":
      return draftImage(raw);
    default:
      return undefined;
  }
}

function draftImage(raw: JsonObject): Draft | undefined {
  const data = textField(raw, raw.type === "image" ? "image" : "data");
  const mediaType = textField(raw, "mediaType") || (raw.type === "image" ? "image/*" : "");
  if (data === "" || !mediaType.startsWith("image/")) return undefined;
  return { kind: "image", mediaType, encodedLength: data.length, raw, identity: data };
}

function draftResult({ toolCallId: callId, output }: JsonObject): Draft | undefined {
  if (typeof callId !== "string" || !isJsonObject(output)) return undefined;
  const isError = output.type === "error-text" || output.type === "error-json";
  return { kind: "toolResult", callId, parts: parseOutput(output), isError };
}

function parseOutput(output: JsonObject): readonly ResultPart[] {
  const { type, value } = output;
  if ((type === "text" || type === "error-text") && typeof value === "string") return [{ kind: "text", text: value }];
  if ((type === "json" || type === "error-json") && value !== undefined)
    return [{ kind: "text", text: JSON.stringify(value) }];
  const listed = type === "content" && Array.isArray(value) ? parseResultParts(value, parseImage) : undefined;
  return listed ?? [{ kind: "opaque", raw: output }];
}

function parseImage(raw: JsonObject): ImagePart | undefined {
  const mediaType = textField(raw, "mediaType");
  const isImage = raw.type === "image-data" || (raw.type === "media" && mediaType.startsWith("image/"));
  return isImage ? { kind: "image", mediaType, encodedLength: textField(raw, "data").length, raw } : undefined;
}
