import type { Author, Message, Role } from "../../core/message.ts";
import {
  type Conversation,
  type Format,
  type Identify,
  type ParsedMessage,
  parseConversation,
  type WireMessage,
} from "../conversation.ts";
import { isRecord } from "../is-json.ts";
import { parseOpaqueMessage } from "../opaque.ts";
import { parseBlock } from "./parse-block.ts";
import { renderBlock } from "./render-block.ts";

export interface ParseMessagesOptions {
  /** Whose words a user message holds: a host's own reminders may be told apart. The person's unless told. */
  readonly decideAuthor?: (text: string) => Author;
}

/** The `messages` of a Messages API request, and the way back. */
export function parseMessages(messages: readonly WireMessage[], options: ParseMessagesOptions = {}): Conversation {
  return parseConversation(messages, createAnthropicFormat(options));
}

export function createAnthropicFormat({ decideAuthor = () => "person" }: ParseMessagesOptions = {}): Format {
  return {
    parseMessage: (raw, identify) => parseMessage(raw, identify, decideAuthor),
    renderBlock,
    renderMessage,
  };
}

function parseMessage(raw: unknown, identify: Identify, decideAuthor: (text: string) => Author): ParsedMessage {
  const role = isRecord(raw) ? parseRole(raw.role) : undefined;
  if (!isRecord(raw) || !role) return parseOpaqueMessage(raw, identify);
  // A bare string is one text block.
  const content = typeof raw.content === "string" ? [{ type: "text", text: raw.content }] : raw.content;
  if (!Array.isArray(content) || !content.every(isRecord)) return parseOpaqueMessage(raw, identify);
  const authorOf = ({ text }: Readonly<Record<string, unknown>>): Author => {
    if (role !== "user") return role === "assistant" ? "model" : "host";
    return typeof text === "string" ? decideAuthor(text) : "person";
  };
  return { role, blocks: content.map((block) => parseBlock(block, authorOf(block), identify)) };
}

function parseRole(role: unknown): Role | undefined {
  return role === "user" || role === "assistant" || role === "system" ? role : undefined;
}

function renderMessage(message: Message, blocks: readonly object[], source: unknown): WireMessage {
  const raw = isRecord(source) ? source : {};
  return { ...raw, role: message.role, content: asString(raw.content, blocks) ?? blocks };
}

/** What came as a string goes as one, as long as one can say it. */
function asString(before: unknown, blocks: readonly object[]): string | undefined {
  const [only] = blocks;
  if (typeof before !== "string" || blocks.length !== 1 || !isRecord(only)) return undefined;
  return only.type === "text" && typeof only.text === "string" ? only.text : undefined;
}
