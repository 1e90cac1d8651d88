import { type JsonObject, textField } from "../../core/json.ts";
import type { Author, Block, ImagePart, Message, Role, ToolCallBlock } from "../../core/message.ts";
import { type Draft, type Format, isRecord, type ParsedMessage, type Raw } from "../conversation.ts";
import {
  draftCall,
  draftText,
  findOnlyText,
  parseOpaqueMessage,
  parsePart,
  parseResultParts,
  renderIdentity,
  renderResultParts,
} from "../draft.ts";
import { parseCallArguments } from "../openai-responses/items.ts";

const ROLES: ReadonlyMap<unknown, Role | "tool"> = new Map<unknown, Role | "tool">(
  Object.entries({
    user: "user",
    assistant: "assistant",
    system: "system",
    developer: "system",
    tool: "tool",
  } as const),
);

/** The `messages` of the Chat Completions API, of OpenAI and compatible providers. */
export function createChatFormat(decideAuthor: (text: string) => Author): Format {
  return createToolCallsFormat({
    decideAuthor,
    roleOf: ({ role }) => ROLES.get(role),
    isError: () => false,
    draftCall: ({ id, function: called }) =>
      isRecord(called) ? draftCall(id, called.name, parseCallArguments(called.arguments)) : undefined,
    renderCall: ({ callId, tool, input }, entry) => ({
      ...entry,
      id: callId,
      type: "function",
      function: { name: tool, arguments: JSON.stringify(input) },
    }),
    make(role, fields, source) {
      const { content } = fields;
      const said = typeof content === "string" || Array.isArray(content) ? content : "";
      return { role, ...source, ...fields, content: said };
    },
  });
}

/** What differs between formats whose messages have `content`, `tool_calls` and `tool_call_id`. */
export interface Dialect {
  roleOf(raw: Raw): Role | "tool" | undefined;
  draftCall(entry: JsonObject): Draft | undefined;
  renderCall(block: ToolCallBlock, entry: Raw | undefined): object;
  /** A message like `source` with other fields; a new one if a layer made it. */
  make(role: Role | "tool", fields: Raw, source: Raw | undefined): object;
  isError(raw: Raw): boolean;
  decideAuthor(text: string): Author;
}

/** Chat messages: calls are next to the content of an assistant message, each result is a message of its own. */
export function createToolCallsFormat(dialect: Dialect): Format {
  return {
    parseMessage(raw): ParsedMessage {
      const role = isRecord(raw) ? dialect.roleOf(raw) : undefined;
      if (!isRecord(raw) || !role) return parseOpaqueMessage(raw);
      if (role === "tool") return parseResult(raw, dialect);
      const calls = listCalls(raw);
      const content = listContent(raw.content).filter((part) => !isMirror(part, calls));
      const authorOf = (text: string): Author => {
        if (role === "user") return dialect.decideAuthor(text);
        return role === "assistant" ? "model" : "host";
      };
      const parts = [
        ...content.map((part) => parsePart(part, (known) => draftPart(known, authorOf))),
        ...calls.map((entry) => parsePart(entry, dialect.draftCall)),
      ];
      return parts.length === 0 ? parseOpaqueMessage(raw) : { role, parts };
    },
    renderBlock: (block, source) => renderBlock(block, source, dialect),
    renderMessage(message, rendered, source) {
      const [only] = rendered;
      if (message.blocks.some(({ kind }) => kind === "toolResult") && only) return only;
      const entries = new Set(source ? listCalls(source) : []);
      const isCall = (part: object, at: number): boolean =>
        entries.has(part) || message.blocks[at]?.kind === "toolCall";
      const calls = rendered.filter(isCall);
      const parts = rendered.filter((part, at) => !isCall(part, at));
      const content = joinContent([...parts, ...listMirrors(source, message)]);
      return dialect.make(message.role, { content, ...(calls.length > 0 ? { tool_calls: calls } : {}) }, source);
    },
  };
}

function listContent(content: unknown): readonly unknown[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [];
}

function listCalls(raw: Raw): readonly unknown[] {
  return Array.isArray(raw.tool_calls) ? raw.tool_calls : [];
}

/** Some providers repeat the calls in the content; `tool_calls` counts. */
function isMirror(part: unknown, calls: readonly unknown[]): boolean {
  if (!isRecord(part) || part.type !== "tool_use") return false;
  return calls.some((call) => isRecord(call) && call.id === part.id);
}

function draftPart(raw: JsonObject, authorOf: (text: string) => Author): Draft | undefined {
  switch (raw.type) {
    case "text":
      return draftText(raw.text, authorOf(textField(raw, "text")));
    case "thinking": {
      const [text, signature] = [textField(raw, "thinking"), textField(raw, "signature")];
      return { kind: "thinking", text, signature, identity: renderIdentity(raw) };
    }
    default: {
      const image = parseImage(raw);
      return image && { ...image, identity: renderIdentity(raw) };
    }
  }
}

function parseImage(raw: JsonObject): ImagePart | undefined {
  if (raw.type !== "image_url" && raw.type !== "image") return undefined;
  return { kind: "image", mediaType: "image/*", encodedLength: JSON.stringify(raw).length, raw };
}

function parseResult(raw: Raw, dialect: Dialect): ParsedMessage {
  const { tool_call_id: callId } = raw;
  const parts = parseResultParts(listContent(raw.content), parseImage);
  if (typeof callId !== "string" || !parts) return parseOpaqueMessage(raw);
  const isError = dialect.isError(raw);
  return { role: "user", parts: [{ draft: { kind: "toolResult", callId, parts, isError }, raw }] };
}

function renderBlock(block: Block, source: Raw | undefined, dialect: Dialect): object {
  switch (block.kind) {
    case "text":
      return { ...(source?.type === "text" ? source : { type: "text" }), text: block.text };
    case "toolCall":
      return dialect.renderCall(block, source);
    case "toolResult": {
      const content = findOnlyText(block.parts) ?? renderResultParts(block.parts);
      return dialect.make("tool", { tool_call_id: block.callId, content }, source);
    }
    case "thinking":
      return { type: "thinking", thinking: block.text, signature: block.signature };
    default:
      return block.raw;
  }
}

/** The repeated calls in the content, with their current arguments. */
function listMirrors(raw: Raw | undefined, { blocks }: Message): readonly object[] {
  const mirrors = raw ? listContent(raw.content).filter((part) => isMirror(part, listCalls(raw))) : [];
  return mirrors.filter(isRecord).flatMap((part) => {
    const call = blocks.find((block) => block.kind === "toolCall" && block.callId === part.id);
    return call?.kind === "toolCall" ? [{ ...part, input: call.input }] : [];
  });
}

/** Text alone becomes a string, which every provider accepts in every role. */
function joinContent(parts: readonly object[]): string | readonly object[] {
  const texts = parts.map((part) => (isRecord(part) && part.type === "text" ? part.text : undefined));
  const isPlain = parts.every((part) => Object.keys(part).length === 2);
  return isPlain && texts.every((text) => typeof text === "string") ? texts.join("\n") : parts;
}
