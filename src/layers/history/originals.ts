import { applyEdits } from "../../core/apply-edits.ts";
import type { Edit, ReplaceSpan } from "../../core/edit.ts";
import type { Layer } from "../../core/layer.ts";
import { type Block, type Message, renderResultText } from "../../core/message.ts";
import { sha256 } from "../../core/sha256.ts";
import { nameHandle } from "../../fold/marker.ts";

/** What leaves the conversation, word for word, and the handle that names it there. */
export interface Original {
  readonly handle: string;
  readonly text: string;
}

/** A layer that says what a door must store before it carries out the layer's edits. */
export interface StoringLayer extends Layer {
  originals(edits: readonly Edit[], messages: readonly Message[]): readonly Original[];
}

/**
 * The content of a block as one text. A result of texts alone is its text, so that reading it back costs no escapes; with
 * images it is its parts as JSON. `undefined` where there is nothing a handle could name.
 */
export function renderOriginal(block: Block): string | undefined {
  switch (block.kind) {
    case "text":
      return block.text;
    case "toolCall":
      return JSON.stringify(block.input);
    case "toolResult":
      return block.parts.every((part) => part.kind === "text") ? renderResultText(block) : JSON.stringify(block.parts);
    case "image":
      return JSON.stringify(block.raw);
    default:
      return undefined;
  }
}

/** A span word for word: one message a line, as JSON. */
export function renderSpan(messages: readonly Message[]): string {
  return messages.map((message) => JSON.stringify(message)).join("\n");
}

/** What the model thought in a span, one block a line, as JSON; empty where it did not think. */
export function renderThoughts(messages: readonly Message[]): string {
  const thoughts = messages.flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === "thinking"));
  return thoughts.map((block) => JSON.stringify(block)).join("\n");
}

/** SHA-256 as hexadecimal digits, lone surrogates as WTF-8. A door's native one takes a fifth of the time of ours. */
export type Hash = (text: string) => string;

export function nameOriginal(text: string, hash: Hash = sha256): string {
  return nameHandle(hash(text));
}

/**
 * Every original that the edits name, found in the conversation they are meant for. A handle that an earlier edit put into
 * the conversation is not among them: its original was stored then.
 */
export function listOriginals(
  edits: readonly Edit[],
  messages: readonly Message[],
  hash: Hash = sha256,
): readonly Original[] {
  const found = new Map<string, string>();
  let current = messages;
  for (let index = 0; index < edits.length; ) {
    const edit = edits[index];
    if (!edit) break;
    const run = edit.kind === "replaceBlock" ? takeBlockEdits(edits, index) : [edit];
    if (edit.kind === "replaceSpan") collectFromSpan(edit, current, { found, hash });
    else collectFromBlocks(run, current, { found, hash });
    index += run.length;
    if (index < edits.length) current = applyEdits(current, run).messages;
  }
  return [...found].map(([handle, text]) => ({ handle, text }));
}

function takeBlockEdits(edits: readonly Edit[], from: number): readonly Edit[] {
  let end = from;
  while (edits[end]?.kind === "replaceBlock") end++;
  return edits.slice(from, end);
}

interface Search {
  readonly found: Map<string, string>;
  readonly hash: Hash;
}

function collectFromBlocks(edits: readonly Edit[], messages: readonly Message[], { found, hash }: Search): void {
  const handles = new Map(edits.map((edit) => [edit.kind === "replaceBlock" ? edit.block : "", edit.handles]));
  for (const { blocks } of messages) {
    for (const block of blocks) {
      const wanted = handles.get(block.id);
      const text = wanted && renderOriginal(block);
      if (text === undefined) continue;
      const handle = nameOriginal(text, hash);
      if (wanted?.includes(handle)) found.set(handle, text);
    }
  }
}

function collectFromSpan(edit: ReplaceSpan, messages: readonly Message[], { found, hash }: Search): void {
  const wanted = new Set(edit.handles.filter((handle) => !found.has(handle)));
  const first = messages.findIndex(({ id }) => id === edit.first);
  const last = messages.findIndex(({ id }) => id === edit.last);
  if (wanted.size === 0 || first < 0 || last < first) return;
  const span = messages.slice(first, last + 1);
  const take = (text: string): void => {
    const handle = nameOriginal(text, hash);
    if (wanted.delete(handle)) found.set(handle, text);
  };
  take(renderThoughts(span));
  for (const block of span.flatMap(({ blocks }) => blocks)) {
    if (wanted.size === 0) return;
    const text = renderOriginal(block);
    if (text !== undefined) take(text);
  }
  if (wanted.size > 0) take(renderSpan(span));
}
