import type { Usage } from "../core/usage.ts";
import { findModel } from "../models/find-model.ts";
import { type CachedRequest, type CacheMiss, findCacheMiss } from "./cache-miss.ts";

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
    cached: { stepId, model, usage, atMs, ttlMs: decideTtl(request, cached) },
    miss: miss && { ...miss, stepId, atMs },
  };
}

/** The life time that was written last; a request that wrote nothing keeps what was there alive. */
function decideTtl({ usage, model }: CacheRequest, cached: CachedRequest | undefined): number {
  const { short, long } = findModel(model).cacheLifeMs;
  if (usage.cacheWrite1hTokens > 0) return long;
  if (usage.cacheWrite5mTokens > 0) return short;
  return cached?.ttlMs ?? short;
}
