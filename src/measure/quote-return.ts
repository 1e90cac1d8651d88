import { rateModel } from "../models/economics/rates.ts";
import { renderUsd } from "../models/economics/render-usd.ts";
import { CACHE_LIFE_MS, findModel } from "../models/find-model.ts";
import { type CachedRequest, isBilledForWriting } from "./cache-miss.ts";
import type { MeterState } from "./meter.ts";
import { takeReading } from "./reading.ts";
import { renderTokens } from "./render-load.ts";

/** What the next request costs once the prompt cache has expired, without its answer. */
export interface ReturnQuote {
  readonly tokens: number;
  /** `undefined` without a price. */
  readonly goingOnUsd: number | undefined;
  /** The same request after a compaction; `undefined` if that would save nothing, or is not known. */
  readonly compactedUsd: number | undefined;
}

/**
 * The price of coming back, before the first word: the prompt that will come is not counted. The system prompt is often still cached, because
 * other sessions use it, so what the session's own cold requests could always read counts as read. On recorded breaks above an hour the quote
 * is within 5 % of what was paid in 45 of 59, and in 37 of the 47 that a person is shown (`npm run lab -- bench returns`).
 */
export function quoteReturn(meter: MeterState, savedTokens = 0): ReturnQuote | undefined {
  const { nextTokens } = takeReading(meter);
  const { cached, warmTokens = 0, thoughtTokens = 0 } = meter;
  if (cached === undefined || nextTokens === undefined) return undefined;
  const tokens = Math.max(0, nextTokens - thoughtTokens);
  const goingOnUsd = priceCold(tokens, cached, warmTokens);
  const compactedUsd = savedTokens > 0 ? priceCold(Math.max(0, tokens - savedTokens), cached, warmTokens) : undefined;
  return { tokens, goingOnUsd, compactedUsd };
}

/** The longest that any cache lives without being used. */
export const BREAK_MS: number = CACHE_LIFE_MS.long;
/** Below this size the client's own prompt and tools are most of the window, and there is little to save. */
export const LEAST_TOKENS = 50_000;

interface Break {
  readonly nowMs: number;
  /** When the last answer came; as the meter knows it if absent. */
  readonly lastMs?: number | undefined;
  /** What a compaction would take out of the window; asked only if there was a break. */
  readonly countSaved: () => number;
}

/** The same if the break was above an hour and the window is large; `undefined` otherwise. */
export function quoteBreak(
  meter: MeterState,
  { nowMs, lastMs = meter.cached?.atMs, countSaved }: Break,
): ReturnQuote | undefined {
  if (lastMs === undefined || nowMs - lastMs <= BREAK_MS) return undefined;
  const quote = quoteReturn(meter, countSaved());
  return quote !== undefined && quote.tokens >= LEAST_TOKENS ? quote : undefined;
}

function priceCold(tokens: number, cached: CachedRequest, warmTokens: number): number | undefined {
  const { model, usage, ttlMs } = cached;
  const { read, write5m, write1h, usdPerUnit } = rateModel(model, tokens, usage.speed);
  const isLong = ttlMs === findModel(model).cacheLifeMs.long;
  const write = !isBilledForWriting(cached) ? 1 : isLong ? write1h : write5m;
  // A transcript may begin in the middle of a session, with a request that read nearly everything.
  const warm = Math.min(warmTokens, tokens / 2);
  return usdPerUnit && (warm * read + (tokens - warm) * write) * usdPerUnit;
}

/** The other choice, after what going on costs. */
export const ANEW = "a new session pays for its system prompt and tools alone";

/** `412k tokens are cold: going on costs about $3.30, compacted first $0.25`. */
export function renderReturn({ tokens, goingOnUsd, compactedUsd }: ReturnQuote): string {
  const cold = `${renderTokens(tokens)} tokens are no longer cached`;
  if (goingOnUsd === undefined) return cold;
  const compacted = compactedUsd === undefined ? "" : `, compacted first ${renderUsd(compactedUsd)}`;
  return `${cold}: going on costs about ${renderUsd(goingOnUsd)}${compacted}`;
}
