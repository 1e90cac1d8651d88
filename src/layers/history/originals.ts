import type { Edit } from "../../core/edit.ts";
import type { Layer } from "../../core/layer.ts";
import { type Block, type Message, renderInput, renderResultText } from "../../core/message.ts";
import { sha256 } from "../../core/sha256.ts";
import { nameHandle } from "../../fold/marker.ts";

/** Content that leaves the conversation, word for word, and the handle that names it. */
export interface Original {
  readonly handle: string;
  readonly text: string;
}

/** A layer that lists what must be stored before its edits are applied. */
export interface StoringLayer extends Layer {
  originals(edits: readonly Edit[], messages: readonly Message[]): readonly Original[];
}

/**
 * The content of a block as one text. A text-only result is its plain text, so that reading it back costs no escapes; with images it is its
 * parts as JSON. `undefined` if there is nothing a handle could name.
 */
export function renderOriginal(block: Block): string | undefined {
  switch (block.kind) {
    case "text":
      return block.text;
    case "toolCall":
      return renderInput(block);
    case "toolResult":
      return block.parts.every((part) => part.kind === "text") ? renderResultText(block) : JSON.stringify(block.parts);
    case "image":
      return JSON.stringify(block.raw);
    default:
      return undefined;
  }
}

/** A span word for word: one message per line, as JSON. */
export function renderSpan(messages: readonly Message[]): string {
  return messages.map((message) => JSON.stringify(message)).join("\n");
}

/** The thinking in a span, one block per line, as JSON; empty if there is none. */
export function renderThoughts(messages: readonly Message[]): string {
  const thoughts = messages.flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === "thinking"));
  return thoughts.map((block) => JSON.stringify(block)).join("\n");
}

/** SHA-256 in hexadecimal, lone surrogates as WTF-8. An entry point's native one takes a fifth of the time of ours. */
export type Hash = (text: string) => string;

export function nameOriginal(text: string, hash?: Hash): string {
  return nameWhole(text, hash).handle;
}

export interface NamedOriginal extends Original {
  readonly hash: string;
}

const named = new WeakMap<Block, NamedOriginal>();

/** The content of a block, hashed once however often it is asked for. */
export function nameBlock(block: Block, hash?: Hash): NamedOriginal | undefined {
  const known = named.get(block);
  if (known) return known;
  const text = renderOriginal(block);
  if (text === undefined) return undefined;
  const original = nameWhole(text, hash);
  named.set(block, original);
  return original;
}

export function nameWhole(text: string, hash: Hash = sha256): NamedOriginal {
  const digits = hash(text);
  return { handle: nameHandle(digits), text, hash: digits };
}
