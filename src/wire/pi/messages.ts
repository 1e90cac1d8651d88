import { type JsonObject, textField } from "../../core/json.ts";
import type { Block, ImagePart, Message } from "../../core/message.ts";
import { type Draft, type Format, isRecord, type ParsedMessage, type Raw } from "../conversation.ts";
import {
  draftCall,
  draftText,
  type Party,
  parseOpaqueMessage,
  parseResultParts,
  parseSpoken,
  renderIdentity,
  renderResultParts,
} from "../draft.ts";

/** The messages of the agent pi as its extensions are given them, and the way back. */
export const piFormat: Format = { parseMessage, renderBlock, renderMessage };

/** pi's own summary stays where it is: it is opaque, like every role that is not listed. */
const PARTIES = { user: "person", custom: "host", assistant: "model" } as const;

function parseMessage(raw: unknown): ParsedMessage {
  if (!isRecord(raw)) return parseOpaqueMessage(raw);
  if (raw.role === "toolResult") return parseResult(raw);
  const text = renderText(raw);
  if (text !== undefined) return { role: "user", parts: [{ draft: { kind: "text", text, author: "host" }, raw }] };
  return parseSpoken(raw, PARTIES, draftPart);
}

/** The text that pi itself makes of a message before a request; `undefined` for a message that already is text. */
function renderText(raw: Raw): string | undefined {
  if (raw.role === "bashExecution" && raw.excludeFromContext !== true) return renderExecution(raw);
  if (raw.role === "branchSummary" && typeof raw.summary === "string")
    return `The following is a summary of a branch that this conversation came back from:\n\n<summary>\n${raw.summary}</summary>`;
  return undefined;
}

/** A command that the person ran themselves, worded exactly as by pi. */
function renderExecution(raw: Raw): string {
  const { command, output, exitCode, fullOutputPath } = raw;
  const lines = [
    `Ran \`${String(command)}\`\n${output ? `\`\`\`\n${String(output)}\n\`\`\`` : "(no output)"}`,
    raw.cancelled === true ? "(command cancelled)" : "",
    raw.cancelled !== true && typeof exitCode === "number" && exitCode !== 0
      ? `Command exited with code ${exitCode}`
      : "",
    raw.truncated === true && fullOutputPath ? `[Output truncated. Full output: ${String(fullOutputPath)}]` : "",
  ];
  return lines.filter((line) => line !== "").join("\n\n");
}

function draftPart(raw: JsonObject, party: Party): Draft | undefined {
  switch (raw.type) {
    case "text":
      return draftText(raw.text, party);
    case "thinking": {
      const [text, signature] = [textField(raw, "thinking"), textField(raw, "thinkingSignature")];
      return { kind: "thinking", text, signature, identity: renderIdentity(raw) };
    }
    case "toolCall":
      return draftCall(raw.id, raw.name, raw.arguments);
    default: {
      const image = parseImage(raw);
      return image && { ...image, identity: textField(raw, "data") };
    }
  }
}

function parseImage(raw: JsonObject): ImagePart | undefined {
  const data = textField(raw, "data");
  if (raw.type !== "image" || data === "") return undefined;
  return { kind: "image", mediaType: textField(raw, "mimeType"), encodedLength: data.length, raw };
}

/** Each result is a message of its own in pi. */
function parseResult(raw: Raw): ParsedMessage {
  const { toolCallId: callId, content } = raw;
  const parts = Array.isArray(content) ? parseResultParts(content, parseImage) : undefined;
  if (typeof callId !== "string" || !parts) return parseOpaqueMessage(raw);
  return {
    role: "user",
    parts: [{ draft: { kind: "toolResult", callId, parts, isError: raw.isError === true }, raw }],
  };
}

function renderBlock(block: Block, raw: Raw = {}): object {
  switch (block.kind) {
    case "text":
      return raw.type === "text" ? { ...raw, text: block.text } : { type: "text", text: block.text };
    case "toolCall":
      return { ...raw, type: "toolCall", id: block.callId, name: block.tool, arguments: block.input };
    case "toolResult":
      return {
        ...raw,
        role: "toolResult",
        toolCallId: block.callId,
        content: renderResultParts(block.parts),
        isError: block.isError,
      };
    case "thinking":
      return { type: "thinking", thinking: block.text };
    default:
      return block.raw;
  }
}

/** A message that pi turns into text is sent as that text once it was changed; a result is its own message. */
function renderMessage(message: Message, blocks: readonly object[], raw: Raw = {}): object {
  const [only] = blocks;
  if (message.blocks.some(({ kind }) => kind === "toolResult") && only) return only;
  const isOwn = typeof raw.role === "string" && Object.hasOwn(PARTIES, raw.role);
  const frame = isOwn ? raw : { timestamp: typeof raw.timestamp === "number" ? raw.timestamp : 0 };
  return { ...frame, role: isOwn ? String(raw.role) : "user", content: blocks };
}
