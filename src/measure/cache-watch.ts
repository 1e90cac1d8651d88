import type { Usage } from "../core/usage.ts";
import { type CachedRequest, type CacheMiss, FIVE_MINUTES_MS, findCacheMiss, ONE_HOUR_MS } from "./cache-miss.ts";

/** One request as the prompt cache sees it. */
export interface CacheRequest {
  readonly stepId: string;
  readonly model: string;
  readonly atMs: number | undefined;
  readonly usage: Usage;
  /** Whether the window was compacted since the request before. */
  readonly followsCompaction: boolean;
}

export interface WatchedMiss extends CacheMiss {
  readonly stepId: string;
  readonly atMs: number | undefined;
}

/** The cache's memory after a request, and whether the request missed it. */
export function followCache(
  cached: CachedRequest | undefined,
  request: CacheRequest,
): { readonly cached: CachedRequest; readonly miss: WatchedMiss | undefined } {
  const { usage, model, atMs, stepId } = request;
  const miss = cached && findCacheMiss(cached, request);
  return {
    cached: { stepId, model, usage, atMs, ttlMs: decideTtl(usage, cached) },
    miss: miss && { ...miss, stepId, atMs },
  };
}

/** The life time that was written last; a request that wrote nothing keeps what was there alive. */
function decideTtl(usage: Usage, cached: CachedRequest | undefined): number {
  if (usage.cacheWrite1hTokens > 0) return ONE_HOUR_MS;
  if (usage.cacheWrite5mTokens > 0) return FIVE_MINUTES_MS;
  return cached?.ttlMs ?? FIVE_MINUTES_MS;
}
