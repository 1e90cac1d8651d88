import type { Usage } from "../../core/usage.ts";
import { CACHE_LIFE_MS, findModel } from "../find-model.ts";

/** What the prompt cache holds of a conversation, as far as the requests show. Plain data, so that another process can continue from it. */
export interface CacheState {
  readonly model: string;
  /** The prefix that the next request could read: everything the last one read or wrote. */
  readonly cachedTokens: number;
  /** Its parts by lifetime. The long-lived part comes first: the API accepts breakpoints only in that order. */
  readonly cached1hTokens: number;
  readonly cached5mTokens: number;
  /** How long all of it lives without being used. */
  readonly ttlMs: number;
  /** `undefined` if no request had a time: then nothing is known to have expired. */
  readonly lastUsedMs: number | undefined;
  /** Share of the last write that used the long lifetime; it sets the price of the next write. */
  readonly share1h: number;
}

export interface CachingRequest {
  readonly model: string;
  readonly atMs: number | undefined;
  readonly usage: Usage;
}

export const emptyCacheState: CacheState = {
  model: "",
  cachedTokens: 0,
  cached1hTokens: 0,
  cached5mTokens: 0,
  ttlMs: CACHE_LIFE_MS.short,
  lastUsedMs: undefined,
  share1h: 0,
};

/** The state after one more request. Reading renews an entry for its full lifetime. */
export function advanceCacheState(state: CacheState, request: CachingRequest): CacheState {
  const { usage, model, atMs } = request;
  const { cacheLifeMs: lifeMs, cachesUnmarked } = findModel(model);
  const written5m = usage.cacheWrite5mTokens + (cachesUnmarked ? usage.inputTokens : 0);
  const written = written5m + usage.cacheWrite1hTokens;
  const share1h = written > 0 ? usage.cacheWrite1hTokens / written : state.share1h;
  const known = model === state.model ? state : emptyCacheState;
  const read1h = Math.min(usage.cacheReadTokens, known.cached1hTokens);
  const read5m = Math.min(usage.cacheReadTokens - read1h, known.cached5mTokens);
  // Another session of the same project wrote the system prompt: we assume it lives as long as what we write.
  const foreign = usage.cacheReadTokens - read1h - read5m;
  const cached1hTokens = read1h + usage.cacheWrite1hTokens + foreign * share1h;
  const cached5mTokens = read5m + written5m + foreign * (1 - share1h);
  return {
    model,
    cachedTokens: cached1hTokens + cached5mTokens,
    cached1hTokens,
    cached5mTokens,
    ttlMs: cached5mTokens > 0 || cached1hTokens === 0 ? lifeMs.short : lifeMs.long,
    lastUsedMs: atMs,
    share1h,
  };
}

/** Tokens of the prefix that a request made now could still read; none for another model than the one that wrote them. */
export function countWarmTokens(state: CacheState, nowMs: number, model: string = state.model): number {
  if (model !== state.model) return 0;
  const idleMs = state.lastUsedMs === undefined ? 0 : nowMs - state.lastUsedMs;
  const lifeMs = findModel(model).cacheLifeMs;
  if (idleMs > lifeMs.long) return 0;
  // An expired part takes everything after it along, and the long-lived part is in front.
  return idleMs > lifeMs.short ? state.cached1hTokens : state.cachedTokens;
}

export interface ColdAt {
  readonly nowMs: number;
  readonly model?: string;
  /** System prompt and tools: edits of a conversation never change them, and they may be cached for longer. */
  readonly baseTokens?: number;
}

/** The next request rewrites the conversation anyway, so an edit costs nothing extra. If parts live longer, the larger part after the base decides. */
export function isCold(state: CacheState, { nowMs, model = state.model, baseTokens = 0 }: ColdAt): boolean {
  const warm = countWarmTokens(state, nowMs, model);
  const expired = state.cachedTokens - warm;
  return warm === 0 || (expired > 0 && warm - baseTokens < expired);
}

/** One pause may have been the last; a person who has made two works with pauses. */
const LEAST_OUTLIVED = 2;

/**
 * Whether to cache the base for an hour if the conversation after it is cached for five minutes. An hour costs 0.75 of the base more, once;
 * a pause longer than five minutes costs 1.15 of it. With an hour from the first request on, a session of a few requests would cost up to
 * half more, so the first pauses are waited for: the base is rewritten then anyway. `isHourWritten`: the account's writes last an hour anyway.
 */
export function isBaseWorthAnHour({ isHourWritten, outlived }: { isHourWritten: boolean; outlived: number }): boolean {
  return isHourWritten || outlived >= LEAST_OUTLIVED;
}

/** How much of a changed request can still be read from the cache, in tokens from its beginning. */
export interface CachedPrefix {
  /** The prefix that an unchanged request would read. */
  readonly warmTokens: number;
  /** System prompt and tools: they end in breakpoints of their own, so a change after them never loses them. */
  readonly baseTokens: number;
  /**
   * The client marks the last block of a request, and the API looks for an entry at most 20 blocks before a mark. A change before this
   * place is farther away than that, so only the base is read. 0 if the caller marks the place of its edit.
   */
  readonly reachFromTokens: number;
  /** Shorter prefixes are not cached. */
  readonly minimumTokens: number;
}

export const LOOK_BACK_BLOCKS = 20;

/** How much is read if the first changed block is at this position. Never decreases as the position moves back. */
export function countResumedTokens(prefix: CachedPrefix, positionTokens: number): number {
  if (positionTokens >= prefix.warmTokens) return prefix.warmTokens;
  const reached =
    positionTokens >= prefix.reachFromTokens ? positionTokens : Math.min(positionTokens, prefix.baseTokens);
  const resumed = Math.max(0, reached);
  return resumed < prefix.minimumTokens ? 0 : resumed;
}
