import { sumContextTokens } from "../core/usage.ts";
import type { CachingRequest } from "../models/economics/cache-state.ts";
import { pricePart } from "../models/economics/spend.ts";
import { findModel } from "../models/find-model.ts";

export const CACHE_MISS_CAUSES = ["idle", "modelSwitch", "compaction", "editedPrefix", "unknown"] as const;
export type CacheMissCause = (typeof CACHE_MISS_CAUSES)[number];

export interface CacheMiss extends Pick<CacheRequest, "stepId" | "atMs"> {
  readonly cause: CacheMissCause;
  readonly missedTokens: number;
  /** The extra cost; `undefined` for a model without a price. */
  readonly extraUsd: number | undefined;
}

/** Total cost of misses in dollars; a lower bound if one of the models has no price. */
export interface MissedUsd {
  readonly usd: number;
  readonly isAtLeast: boolean;
}

export interface MissTotal extends MissedUsd {
  readonly cause: CacheMissCause;
  readonly count: number;
  readonly tokens: number;
}

export interface CacheRequest extends CachingRequest {
  readonly stepId: string;
  readonly followsCompaction: boolean;
}

/** The previous request, as far as the cache remembers it. */
export interface CachedRequest extends Omit<CacheRequest, "followsCompaction"> {
  readonly ttlMs: number;
  /** An earlier request to the same model wrote to the cache. */
  readonly hasWritten?: boolean;
}

/** Some providers cache by themselves, and bill what is new as plain input: whether a request to this model was ever billed for writing. */
export function isBilledForWriting({ hasWritten = false, usage }: CachedRequest): boolean {
  return hasWritten || usage.cacheWrite5mTokens + usage.cacheWrite1hTokens > 0;
}

/** Reading less than half of what was sent before is a miss (no recorded request that merely grew is below it). */
const MISS_BELOW = 0.5;

export function findCacheMiss(before: CachedRequest, next: CacheRequest): CacheMiss | undefined {
  const cached = sumContextTokens(before.usage);
  if (cached === 0 || next.usage.cacheReadTokens >= cached * MISS_BELOW) return undefined;
  // After a compaction only content that was sent again can have been missed.
  const missedTokens = Math.min(cached, sumContextTokens(next.usage)) - next.usage.cacheReadTokens;
  if (missedTokens <= 0) return undefined;
  const { stepId, atMs } = next;
  return { stepId, atMs, cause: decideCause(before, next), missedTokens, extraUsd: priceMiss(missedTokens, next) };
}

export function sumMisses(misses: readonly CacheMiss[]): readonly MissTotal[] {
  return CACHE_MISS_CAUSES.map((cause) => {
    const ofCause = misses.filter((miss) => miss.cause === cause);
    return {
      cause,
      count: ofCause.length,
      tokens: ofCause.reduce((sum, miss) => sum + miss.missedTokens, 0),
      ...sumMissedUsd(ofCause),
    };
  });
}

export function sumMissedUsd(misses: readonly Pick<CacheMiss, "extraUsd">[]): MissedUsd {
  return {
    usd: misses.reduce((sum, { extraUsd = 0 }) => sum + extraUsd, 0),
    isAtLeast: misses.some(({ extraUsd }) => extraUsd === undefined),
  };
}

function decideCause(before: CachedRequest, next: CacheRequest): CacheMissCause {
  if (next.followsCompaction) return "compaction";
  if (before.model !== next.model) return "modelSwitch";
  const idleMs = before.atMs === undefined || next.atMs === undefined ? 0 : next.atMs - before.atMs;
  if (idleMs > before.ttlMs) return "idle";
  // A part of the prefix was still found, so something after it must have changed.
  return next.usage.cacheReadTokens > 0 ? "editedPrefix" : "unknown";
}

function priceMiss(missedTokens: number, { model, usage, atMs }: CacheRequest): number | undefined {
  const whole = { contextTokens: sumContextTokens(usage), atMs };
  const speed = usage.speed && { speed: usage.speed };
  const lived = usage.cacheWrite1hTokens > usage.cacheWrite5mTokens ? "cacheWrite1hTokens" : "cacheWrite5mTokens";
  const written = pricePart({ ...speed, [lived]: missedTokens }, model, whole);
  const read = pricePart({ ...speed, cacheReadTokens: missedTokens }, model, whole);
  return written === undefined || read === undefined ? undefined : written - read;
}

export function followCache(
  cached: CachedRequest | undefined,
  request: CacheRequest,
): { readonly cached: CachedRequest; readonly miss: CacheMiss | undefined } {
  const { usage, model, atMs, stepId } = request;
  const hasWritten = cached?.model === model && isBilledForWriting(cached);
  return {
    cached: { stepId, model, usage, atMs, ttlMs: decideTtl(request, cached), hasWritten },
    miss: cached && findCacheMiss(cached, request),
  };
}

/** The lifetime written last, the shorter if there are two: that of the conversation after the base. A request that wrote nothing keeps the old one. */
function decideTtl({ usage, model }: CacheRequest, cached: CachedRequest | undefined): number {
  const { short, long } = findModel(model).cacheLifeMs;
  if (usage.cacheWrite5mTokens > 0) return short;
  if (usage.cacheWrite1hTokens > 0) return long;
  return cached?.ttlMs ?? short;
}
