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
import { parsePart } from "./parse-part.ts";
import { renderPart } from "./render-part.ts";

/** The AI SDK's `ModelMessage`s (version 5 or later), and the way back. */
export function parseModelMessages(messages: readonly WireMessage[]): Conversation {
  return parseConversation(messages, aiSdkFormat);
}

export const aiSdkFormat: Format = { parseMessage, renderBlock: renderPart, renderMessage };

interface Part {
  readonly role: Role;
  readonly author: Author;
}

/** Results have a role of their own there; everywhere else they are the user's side of the conversation. */
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

/** A system message is always a string; what came as one stays one as long as it can say it. */
function joinTexts(parts: readonly object[]): string | undefined {
  const texts = parts.map((part) => (isRecord(part) && part.type === "text" ? part.text : undefined));
  const isPlain = parts.every((part) => !("providerOptions" in part));
  return isPlain && texts.every((text) => typeof text === "string") ? texts.join("\n") : undefined;
}
