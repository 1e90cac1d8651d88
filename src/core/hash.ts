import type { JsonObject } from "./json.ts";
import { type Block, type Message, type ResultPart, renderInput } from "./message.ts";
import { sha256 } from "./sha256.ts";
/**
 * A fast 64-bit hash of a string's UTF-16 units as 16 hexadecimal digits, the same in every runtime.
 * For identity inside one conversation, not for content addressing: stored originals use SHA-256.
 */
export function hashText(text: string, seed = 0): string {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  const mixedHigh = mix(high) ^ mix(low ^ text.length);
  const mixedLow = mix(low) ^ mix(high ^ Math.imul(text.length, 0x85ebca6b));
  return hex(mixedHigh) + hex(mixedLow);
}

/** The finaliser of MurmurHash3: every input bit reaches every output bit. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** By bytes, because `toString(16)` takes ten times as long. */
function hex(value: number): string {
  return `${HEX[value >>> 24]}${HEX[(value >>> 16) & 255]}${HEX[(value >>> 8) & 255]}${HEX[value & 255]}`;
}

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** SHA-256 in hexadecimal. An entry point's native one gives the same digits and is several times as fast as ours. */
export type ContentHasher = (text: string) => string;

/** Fields about how something is sent, not its content: a client moves its breakpoints with every request. */
export const MARKINGS: ReadonlySet<string> = new Set(["cache_control", "cacheControl"]);

/** Messages and blocks never change, so each is hashed once. */
const known = new WeakMap<Message | Block, string>();

/** Hashes the blocks' kind, call and content in order, but not the ids we gave them. */
export function hashBlocks(blocks: readonly Block[], hash: ContentHasher = sha256): string {
  const [only] = blocks;
  if (only && blocks.length === 1) return hashBlock(only, hash);
  return hash(blocks.map((block) => hashBlock(block, hash)).join("\n"));
}

/** Hashes the messages' roles and blocks, in order. */
export function hashMessages(messages: readonly Message[], hash: ContentHasher = sha256): string {
  return hash(messages.map((message) => hashMessage(message, hash)).join("\n"));
}

function hashMessage(message: Message, hash: ContentHasher): string {
  const before = known.get(message);
  if (before !== undefined) return before;
  const made = hash([message.role, ...message.blocks.map((block) => hashBlock(block, hash))].join("\n"));
  known.set(message, made);
  return made;
}

function hashBlock(block: Block, hash: ContentHasher): string {
  const before = known.get(block);
  if (before !== undefined) return before;
  const made = hash(renderBlock(block));
  known.set(block, made);
  return made;
}

/** Different blocks give different texts: the part before the line feed gives the length of everything after it. */
function renderBlock(block: Block): string {
  switch (block.kind) {
    case "text":
      return `text\n${block.text}`;
    case "thinking":
      return `thinking ${block.signature.length}\n${block.signature}${block.text}`;
    case "toolCall":
      return `toolCall\n[${JSON.stringify(block.callId)},${JSON.stringify(block.tool)},${renderInput(block)}]`;
    case "toolResult": {
      const parts = block.parts.map(renderPart);
      const lengths = parts.map((part, index) => [block.parts[index]?.kind, part.length]);
      return `toolResult ${JSON.stringify([block.callId, block.isError, lengths])}\n${parts.join("")}`;
    }
    case "image":
    case "opaque":
      return `${block.kind}\n${renderUnmarked(block.raw)}`;
  }
}

function renderPart(part: ResultPart): string {
  return part.kind === "text" ? part.text : renderUnmarked(part.raw);
}

function renderUnmarked(raw: JsonObject): string {
  return JSON.stringify(raw, (key, value: unknown) => (MARKINGS.has(key) ? undefined : value));
}
