import type { Edit } from "../../core/edit.ts";
import type { Block, Message } from "../../core/message.ts";
import { replaceContent } from "../../core/replace-content.ts";

export type CountTokens = (message: Message) => number;

export interface EditSize {
  /** Tokens in front of the first changed block, from the first message. */
  readonly positionTokens: number;
  readonly savedTokens: number;
}

/** Where in a conversation edits bite, and how much they take out. One walk for all of them; a target that is missing has no size. */
export function sizeEdits(
  messages: readonly Message[],
  edits: readonly Edit[],
  countTokens: CountTokens,
): readonly EditSize[] {
  const blocks = locateBlocks(messages, edits, countTokens);
  const starts = new Map<string, { readonly index: number; readonly tokens: number }>();
  let tokens = 0;
  for (const [index, message] of messages.entries()) {
    starts.set(message.id, { index, tokens });
    tokens += countTokens(message);
  }
  const nothing: EditSize = { positionTokens: tokens, savedTokens: 0 };
  return edits.map((edit) => {
    if (edit.kind === "replaceBlock") {
      const found = blocks.get(edit.block);
      if (!found) return nothing;
      const changed = replaceContent(found.block, edit);
      if ("why" in changed) return { positionTokens: found.tokens, savedTokens: 0 };
      const savedTokens = countTokens(found.alone) - countTokens({ ...found.alone, blocks: [changed] });
      return { positionTokens: found.tokens, savedTokens: Math.max(0, savedTokens) };
    }
    const first = starts.get(edit.first);
    const last = starts.get(edit.last);
    if (!first || !last) return nothing;
    const span = messages.slice(first.index, last.index + 1);
    const kept = countCommonMessages(span, edit.messages);
    const savedTokens = sumTokens(span, countTokens) - sumTokens(edit.messages, countTokens);
    const positionTokens = first.tokens + sumTokens(span.slice(0, kept), countTokens);
    return { positionTokens, savedTokens: Math.max(0, savedTokens) };
  });
}

interface Located {
  readonly tokens: number;
  readonly block: Block;
  /** A message of this block alone, to be weighed before and after. */
  readonly alone: Message;
}

function locateBlocks(
  messages: readonly Message[],
  edits: readonly Edit[],
  countTokens: CountTokens,
): ReadonlyMap<string, Located> {
  const wanted = new Set(edits.flatMap((edit) => (edit.kind === "replaceBlock" ? [edit.block] : [])));
  const located = new Map<string, Located>();
  let start = 0;
  for (const message of messages) {
    if (wanted.size > 0 && message.blocks.some(({ id }) => wanted.has(id))) {
      let tokens = start;
      for (const block of message.blocks) {
        const alone = isolate(message, block);
        if (wanted.has(block.id)) located.set(block.id, { tokens, block, alone });
        tokens += countTokens(alone);
      }
    }
    start += countTokens(message);
  }
  return located;
}

/** Tokens that two conversations have in common from the beginning; unchanged blocks are the identical objects. */
export function countCommonTokens(
  before: readonly Message[],
  now: readonly Message[],
  countTokens: CountTokens,
): number {
  let tokens = 0;
  for (const [index, message] of now.entries()) {
    const old = before[index];
    if (old === undefined) return tokens;
    if (old !== message) return tokens + countCommonBlocks(old, message, countTokens);
    tokens += countTokens(message);
  }
  return tokens;
}

function countCommonBlocks(before: Message, now: Message, countTokens: CountTokens): number {
  if (before.id !== now.id) return 0;
  let tokens = 0;
  for (const [index, block] of now.blocks.entries()) {
    if (before.blocks[index] !== block) return tokens;
    tokens += countTokens(isolate(now, block));
  }
  return tokens;
}

/** Where the last so many blocks of a conversation begin, in tokens. */
export function locateLastBlocks(messages: readonly Message[], blocks: number, countTokens: CountTokens): number {
  let left = blocks;
  let index = messages.length;
  while (index > 0 && left > 0) left -= messages[--index]?.blocks.length ?? 0;
  return sumTokens(messages.slice(0, index), countTokens);
}

function isolate(message: Message, block: Block): Message {
  return message.blocks.length === 1 ? message : { ...message, blocks: [block] };
}

function countCommonMessages(left: readonly Message[], right: readonly Message[]): number {
  let common = 0;
  while (common < left.length && left[common] === right[common]) common++;
  return common;
}

function sumTokens(messages: readonly Message[], countTokens: CountTokens): number {
  let total = 0;
  for (const message of messages) total += countTokens(message);
  return total;
}
