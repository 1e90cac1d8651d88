import { replaceContent } from "../../core/apply-edits.ts";
import type { Edit } from "../../core/edit.ts";
import type { Pricer } from "../../core/edit-verdict.ts";
import type { View } from "../../core/layer.ts";
import { type Block, computeOnce, type Message } from "../../core/message.ts";
import { requireAtLeast } from "../../core/require-option.ts";
import { findModel } from "../find-model.ts";
import { type CacheState, countWarmTokens, LOOK_BACK_BLOCKS } from "./cache-state.ts";
import { decideEdits } from "./decide-edits.ts";
import type { SizedEdit } from "./price-edit.ts";
import type { RemovedContent } from "./recovery.ts";

export interface PricerOptions {
  readonly cache: CacheState;
  readonly nowMs: number;
  readonly model: string;
  /** System prompt, tools and instructions, which the cache counts and the view does not. */
  readonly baseTokens: number;
  readonly expectedRequests?: number | undefined;
  /** Used if no number of requests is expected. */
  readonly waiting?: Waiting;
  readonly clearAtLeastTokens?: number;
  /** The last message that was sent, if known: more reliable than the cache's token count, which is not ours. */
  readonly lastSentMessage?: string;
  /** `client`: the end of the request is marked. `atEdit`: the caller also marks the place of the first edit. */
  readonly breakpoints?: "client" | "atEdit";
}

/** Prices edits against the current state of the cache. Create one per request. */
export function createPricer(options: PricerOptions): Pricer {
  requireAtLeast(0, "baseTokens", options.baseTokens);
  const { baseTokens, waiting = nobodyWaits } = options;
  let countOnce: CountTokens | undefined;
  return (edits, view, { isEager, replayed }) => {
    countOnce ??= computeOnce(view.countTokens);
    const countTokens = countOnce;
    const { prefix, sentTokens } = locateCache(options, view, replayed, countTokens);
    const proposals = sizeEdits(view.messages, edits, countTokens).map((size, index): SizedEdit => {
      const edit = edits[index];
      const positionTokens = baseTokens + size.positionTokens;
      // An eager layer decides itself what is needed before it is first sent, so it is not charged for fetching again.
      const isTrusted = isEager && positionTokens >= prefix.warmTokens;
      return {
        positionTokens,
        savedTokens: size.savedTokens,
        ...(edit ? { content: classifyByShape(edit), waitedRequests: countWaited(waiting, keyOfEdit(edit)) } : {}),
        ...(isTrusted ? { recoveryShare: 0 } : {}),
      };
    });
    const { cache, expectedRequests } = options;
    const contextTokens = baseTokens + view.tokens;
    const now = { prefix, sentTokens, contextTokens, share1h: cache.share1h, expectedRequests };
    return decideEdits(proposals, { ...options, ...now });
  };
}

function locateCache(options: PricerOptions, view: View, replayed: readonly Message[], countTokens: CountTokens) {
  const { cache, nowMs, model, baseTokens, breakpoints = "client" } = options;
  const warm = countWarmTokens(cache, nowMs, model);
  const isWhole = warm > 0 && warm === cache.cachedTokens;
  const sentTokens = (isWhole ? locateSent(options, replayed, countTokens) : undefined) ?? warm;
  const common = baseTokens + countCommonTokens(replayed, view.messages, countTokens);
  const prefix = {
    warmTokens: Math.min(sentTokens, common),
    baseTokens,
    reachFromTokens:
      breakpoints === "atEdit" ? 0 : baseTokens + locateLastBlocks(view.messages, LOOK_BACK_BLOCKS, countTokens),
    minimumTokens: findModel(model).minCacheTokens,
  };
  return { prefix, sentTokens };
}

/** The end of the last message that was sent, in tokens; `undefined` if unknown or no longer there. */
function locateSent(
  { lastSentMessage, baseTokens }: PricerOptions,
  messages: readonly Message[],
  countTokens: CountTokens,
): number | undefined {
  if (lastSentMessage === undefined) return undefined;
  let tokens = baseTokens;
  for (const message of messages) {
    tokens += countTokens(message);
    if (message.id === lastSentMessage) return tokens;
  }
  return undefined;
}

/** An edit without handles removed only what is still in view. */
function classifyByShape(edit: Edit): RemovedContent {
  if (edit.handles.length === 0) return "duplicate";
  return edit.kind === "replaceSpan" ? "exchanges" : "result";
}

type CountTokens = (message: Message) => number;

/** Its position is counted from the first message. */
type EditSize = Pick<SizedEdit, "positionTokens" | "savedTokens">;

/** Where in a conversation each edit applies, and how much it removes. One walk for all; a missing target has no size. */
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
  /** A message with only this block, weighed before and after. */
  readonly alone: Message;
}

function locateBlocks(messages: readonly Message[], edits: readonly Edit[], countTokens: CountTokens) {
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

/** Tokens in the common beginning of two conversations; unchanged blocks are the identical objects. */
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

/**
 * For how many requests each declined edit has been carried since it was first proposed. This decides if the length of the session is
 * unknown (`docs/research/economics.md`, the bound). Plain data, kept by the entry point from request to request.
 */
export type Waiting = Readonly<Record<string, number>>;

export const nobodyWaits: Waiting = {};

/** The same edit has the same key in every request, whatever its replacement. */
export function keyOfEdit(edit: Edit): string {
  return edit.kind === "replaceBlock" ? `block ${edit.block}` : `span ${edit.first} ${edit.last}`;
}

export function countWaited(waiting: Waiting, key: string): number {
  return Object.hasOwn(waiting, key) ? (waiting[key] ?? 0) : 0;
}
