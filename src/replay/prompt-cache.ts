import { isBaseWorthAnHour, LOOK_BACK_BLOCKS } from "../models/economics/cache-state.ts";
import { findModel } from "../models/find-model.ts";

/** A request as the prompt cache sees it: blocks from the first to the last, and what they weigh. */
export interface SimulatedRequest {
  readonly atMs: number;
  readonly model: string;
  readonly baseTokens: number;
  /** One object a block: the same object is the same bytes. */
  readonly blocks: readonly object[];
  readonly tokens: readonly number[];
  /** How many of the blocks stand as they stood in the request before. */
  readonly unchanged: number;
  readonly share1h: number;
}

export interface CacheUse {
  readonly readTokens: number;
  readonly writtenTokens: number;
  /** How much of the writing is for the long life time. */
  readonly written1hTokens: number;
  /** What the request before left in the cache had expired, or another model wrote it. */
  readonly isCold: boolean;
  /** The prefix was still warm and the request could not use it, because something in it had changed. */
  readonly isBust: boolean;
}

/** Where the marks stand. `client`: behind the base and at the end. `atEdit`: also at the last block that did not change. */
export type Marks = "client" | "atEdit";

/**
 * How long entries live. `recorded`: as the recorded request wrote them. `split`: the conversation five minutes, the base an hour where that is worth it, which a gateway
 * can decide. The others can be set in Claude Code. The API takes the longer life time only in front of the shorter one, which is the order in which they stand.
 */
export type ReplayCacheLife = "recorded" | "split" | SetCacheLife;

/** What a person can set: five minutes, an hour, or an hour for system prompt and tools and five minutes for the conversation. */
export const SET_CACHE_LIVES = ["5m", "1h", "1h+5m"] as const;
export type SetCacheLife = (typeof SET_CACHE_LIVES)[number];

export interface CacheRules {
  readonly marks?: Marks | undefined;
  readonly life?: ReplayCacheLife | undefined;
}

interface Entry {
  /** The entry holds the base and so many blocks. */
  readonly length: number;
  readonly tokens: number;
  expiresMs: number;
}

export interface PromptCache {
  /** Whether the next request at this time would find what the last one left of the conversation. */
  isWarm(atMs: number, model: string): boolean;
  /** Whether it would find the base: that may live longer. */
  isBaseWarm(atMs: number, model: string): boolean;
  /** How much of what joins the conversation is written for the long life time, where the recorded request wrote so much for it. */
  shareOf1h(recorded: number): number;
  send(request: SimulatedRequest): CacheUse;
}

/**
 * The provider's prompt cache for one conversation: entries lie where requests were marked, are looked for at most so many blocks
 * before a mark, and live from use to use. The base ends in a mark of its own.
 */
export function createPromptCache({ marks = "client", life = "recorded" }: CacheRules = {}): PromptCache {
  let entries: Entry[] = [];
  let baseExpiresMs = Number.NEGATIVE_INFINITY;
  let owner = "";
  let lastTokens = 0;
  let outlived = 0;

  const isWarm = (atMs: number, model: string): boolean =>
    model === owner && entries.some(({ expiresMs }) => expiresMs >= atMs);
  const shareOf1h = (recorded: number): number => (life === "recorded" ? recorded : life === "1h" ? 1 : 0);

  return {
    isWarm,
    isBaseWarm: (atMs, model) => model === owner && baseExpiresMs >= atMs,
    shareOf1h,
    send(request) {
      const { atMs, model, blocks, tokens, unchanged, baseTokens } = request;
      const share1h = shareOf1h(request.share1h);
      if (model !== owner) {
        entries = [];
        baseExpiresMs = Number.NEGATIVE_INFINITY;
        owner = model;
      }
      const wasWarm = isWarm(atMs, model);
      entries = entries.filter(({ length, expiresMs }) => length <= unchanged && expiresMs >= atMs);
      const total = baseTokens + sum(tokens);
      const { cacheLifeMs, minCacheTokens } = findModel(model);
      const lifeMs = share1h > 0.5 ? cacheLifeMs.long : cacheLifeMs.short;
      const reaches = marks === "atEdit" ? [blocks.length, unchanged] : [blocks.length];
      const found = findEntry(entries, reaches);
      const base = baseExpiresMs >= atMs && baseTokens >= minCacheTokens ? baseTokens : 0;
      const readTokens = found?.tokens ?? base;
      if (found) found.expiresMs = atMs + lifeMs;
      if (base === 0 && Number.isFinite(baseExpiresMs)) outlived++;
      const isBaseLong =
        life === "1h+5m" || (life === "split" && isBaseWorthAnHour({ isHourWritten: request.share1h > 0.5, outlived }));
      baseExpiresMs = atMs + (isBaseLong ? cacheLifeMs.long : lifeMs);
      for (const length of total < minCacheTokens ? [] : reaches) {
        if (length === found?.length) continue;
        const held = length === blocks.length ? total : baseTokens + sum(tokens.slice(0, length));
        entries.push({ length, tokens: held, expiresMs: atMs + lifeMs });
      }
      const isBust = wasWarm && readTokens < lastTokens && found === undefined;
      lastTokens = total;
      const writtenTokens = total - readTokens;
      const written1hTokens = isBaseLong ? Math.max(0, baseTokens - readTokens) : writtenTokens * share1h;
      return { readTokens, writtenTokens, written1hTokens, isCold: !wasWarm, isBust };
    },
  };
}

/** The longest entry that lies within reach of a mark. */
function findEntry(entries: readonly Entry[], marks: readonly number[]): Entry | undefined {
  let best: Entry | undefined;
  for (const entry of entries) {
    const isReached = marks.some((mark) => entry.length <= mark && mark - entry.length <= LOOK_BACK_BLOCKS);
    if (isReached && (!best || entry.length > best.length)) best = entry;
  }
  return best;
}

export function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
