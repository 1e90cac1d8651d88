import { type JsonObject, textField } from "../../core/json.ts";
import type { Author, Block, Message, ResultPart, Role } from "../../core/message.ts";
import type { Format, Identify, ParsedBlock, ParsedMessage, WireMessage } from "../conversation.ts";
import { isJsonObject, isRecord } from "../is-json.ts";
import { parseOpaque, parseOpaqueMessage, renderIdentity } from "../opaque.ts";

/** The messages of the agent pi as its extensions are given them, and the way back. */
export const piFormat: Format = { parseMessage, renderBlock, renderMessage };

interface Speaker {
  readonly role: Role;
  readonly author: Author;
}

/** pi's own summary stays where it is: it is opaque, like every role that is not listed. */
const SPEAKERS: ReadonlyMap<unknown, Speaker> = new Map<unknown, Speaker>([
  ["user", { role: "user", author: "person" }],
  ["custom", { role: "user", author: "host" }],
  ["assistant", { role: "assistant", author: "model" }],
]);

function parseMessage(raw: unknown, identify: Identify): ParsedMessage {
  if (!isRecord(raw)) return parseOpaqueMessage(raw, identify);
  if (raw.role === "toolResult") return parseResult(raw, identify);
  const told = tellText(raw);
  if (told !== undefined) return { role: "user", blocks: [parseText({ text: told, author: "host", raw }, identify)] };
  const speaker = SPEAKERS.get(raw.role);
  const content = typeof raw.content === "string" ? [{ type: "text", text: raw.content }] : raw.content;
  if (!speaker || !Array.isArray(content)) return parseOpaqueMessage(raw, identify);
  return { role: speaker.role, blocks: content.map((part) => parsePart(part, speaker.author, identify)) };
}

/** The text that pi itself makes of a message before a request; `undefined` for a message that already is text. */
function tellText(raw: Readonly<Record<string, unknown>>): string | undefined {
  if (raw.role === "bashExecution" && raw.excludeFromContext !== true) return tellExecution(raw);
  if (raw.role === "branchSummary" && typeof raw.summary === "string")
    return `The following is a summary of a branch that this conversation came back from:\n\n<summary>\n${raw.summary}</summary>`;
  return undefined;
}

/** A command that the person ran themselves, worded exactly as by pi. */
function tellExecution(raw: Readonly<Record<string, unknown>>): string {
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

interface Told {
  readonly text: string;
  readonly author: Author;
  readonly raw: unknown;
}

function parseText({ text, author, raw }: Told, identify: Identify): ParsedBlock {
  return { block: { kind: "text", id: identify({ kind: "text", content: text }), text, author }, raw };
}

function parsePart(raw: unknown, author: Author, identify: Identify): ParsedBlock {
  const block = isJsonObject(raw) ? understand(raw, author, identify) : undefined;
  return block ? { block, raw } : parseOpaque(raw, identify);
}

function understand(raw: JsonObject, author: Author, identify: Identify): Block | undefined {
  switch (raw.type) {
    case "text":
      if (typeof raw.text !== "string") return undefined;
      return { kind: "text", id: identify({ kind: "text", content: raw.text }), text: raw.text, author };
    case "thinking": {
      const id = identify({ kind: "thinking", content: renderIdentity(raw) });
      return { kind: "thinking", id, text: textField(raw, "thinking"), signature: textField(raw, "thinkingSignature") };
    }
    case "toolCall": {
      const { id: callId, name: tool, arguments: input } = raw;
      if (typeof callId !== "string" || typeof tool !== "string" || !isJsonObject(input)) return undefined;
      return { kind: "toolCall", id: identify({ kind: "toolCall", callId }), callId, tool, input };
    }
    case "image": {
      const part = parseImage(raw);
      return part && { ...part, id: identify({ kind: "image", content: textField(raw, "data") }) };
    }
    default:
      return undefined;
  }
}

function parseImage(raw: JsonObject): Extract<ResultPart, { kind: "image" }> | undefined {
  const data = textField(raw, "data");
  return data === ""
    ? undefined
    : { kind: "image", mediaType: textField(raw, "mimeType"), encodedLength: data.length, raw };
}

/** Each result is a message of its own in pi. */
function parseResult(raw: Readonly<Record<string, unknown>>, identify: Identify): ParsedMessage {
  const { toolCallId: callId, content } = raw;
  if (typeof callId !== "string" || !Array.isArray(content) || !content.every(isJsonObject))
    return parseOpaqueMessage(raw, identify);
  const parts = content.map((part): ResultPart => {
    if (part.type === "text" && typeof part.text === "string") return { kind: "text", text: part.text };
    return (part.type === "image" ? parseImage(part) : undefined) ?? { kind: "opaque", raw: part };
  });
  const id = identify({ kind: "toolResult", callId });
  const block: Block = { kind: "toolResult", id, callId, parts, isError: raw.isError === true };
  return { role: "user", blocks: [{ block, raw }] };
}

function renderBlock(block: Block, source: unknown): object {
  const raw = isRecord(source) ? source : {};
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
        content: block.parts.map((part) => (part.kind === "text" ? { type: "text", text: part.text } : part.raw)),
        isError: block.isError,
      };
    case "thinking":
      return { type: "thinking", thinking: block.text };
    case "image":
    case "opaque":
      return block.raw;
  }
}

/** A message that pi turns into text is sent as that text once it was changed; a result is its own message. */
function renderMessage(message: Message, blocks: readonly object[], source: unknown): WireMessage {
  const [only] = blocks;
  if (message.blocks.some(({ kind }) => kind === "toolResult") && isWireMessage(only)) return only;
  const raw = isRecord(source) ? source : {};
  const isOwn = raw.role === "assistant" || raw.role === "custom" || raw.role === "user";
  const timestamp = typeof raw.timestamp === "number" ? raw.timestamp : 0;
  const frame: { readonly role: string } = {
    ...(isOwn ? raw : { timestamp }),
    role: isOwn ? String(raw.role) : "user",
  };
  return { ...frame, content: blocks };
}

function isWireMessage(value: unknown): value is WireMessage {
  return isRecord(value) && typeof value.role === "string" && Array.isArray(value.content);
}
