import type { Usage } from "../core/usage.ts";
import { rateModel } from "../models/economics/rates.ts";
import { renderUsd } from "../models/economics/render-usd.ts";
import { findModel } from "../models/find-model.ts";
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
 * is within 5 % of what was paid in 28 of 37 (`npm run lab -- bench returns`).
 */
export function quoteReturn(meter: MeterState, savedTokens = 0): ReturnQuote | undefined {
  const { nextTokens: tokens } = takeReading(meter);
  const { cached, warmTokens = 0 } = meter;
  if (cached === undefined || tokens === undefined) return undefined;
  const terms = { ...cached, warmTokens };
  return {
    tokens,
    goingOnUsd: priceCold(tokens, terms),
    compactedUsd: savedTokens > 0 ? priceCold(Math.max(0, tokens - savedTokens), terms) : undefined,
  };
}

interface ColdTerms {
  readonly model: string;
  readonly usage: Usage;
  readonly ttlMs: number;
  readonly warmTokens: number;
}

function priceCold(tokens: number, { model, usage, ttlMs, warmTokens }: ColdTerms): number | undefined {
  const { read, write5m, write1h, usdPerUnit } = rateModel(model, tokens, usage.speed);
  const write = ttlMs === findModel(model).cacheLifeMs.long ? write1h : write5m;
  // A transcript may begin in the middle of a session, with a request that read nearly everything.
  const warm = Math.min(warmTokens, tokens / 2);
  return usdPerUnit && (warm * read + (tokens - warm) * write) * usdPerUnit;
}

/** `412k tokens are cold: going on costs $3.30, compacted first $0.25`. */
export function renderReturn({ tokens, goingOnUsd, compactedUsd }: ReturnQuote): string {
  const cold = `${renderTokens(tokens)} tokens are no longer cached`;
  if (goingOnUsd === undefined) return cold;
  const compacted = compactedUsd === undefined ? "" : `, compacted first ${renderUsd(compactedUsd)}`;
  return `${cold}: going on costs ${renderUsd(goingOnUsd)}${compacted}`;
}
