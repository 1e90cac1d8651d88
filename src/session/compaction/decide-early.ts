import { quotePrice } from "../../core/economics/prices.ts";

/** What is known when it is asked whether to compact before the client would. */
export interface EarlyOccasion {
  /** What the last request carried. */
  readonly contextTokens: number;
  /** What every request carries whatever was said: system prompt, tools, instructions. */
  readonly baseTokens: number;
  /** What a compaction now would leave of the rest: record and tail. */
  readonly keptTokens: number;
  /** The prefix has left the cache: the next request is written anew anyway. */
  readonly isCold: boolean;
  /** Requests since the last compaction, or since the session began. */
  readonly requestsSince: number;
  /** A piece of work has just been finished, or the person has just spoken. */
  readonly isAtBoundary: boolean;
  readonly model: string;
}

export interface EarlyDecision {
  readonly isDue: boolean;
  /** In words for the person. */
  readonly why: string;
  /** Requests after which it has paid for itself; infinity where it never does. */
  readonly breakEvenRequests: number;
  /** What every later request costs less; `undefined` for a model whose price nobody here knows. */
  readonly savedUsdPerRequest: number | undefined;
}

/**
 * Rarely and thoroughly: a history is carried, at a tenth of its price, with every request, and rewriting it costs more
 * than its price once. Below these lines a compaction takes more out of sight than it saves.
 */
const SOFT_HISTORY_TOKENS = 60_000;
const HARD_HISTORY_TOKENS = 90_000;
const LEAST_GAIN_TOKENS = 30_000;
const LEAST_COLD_GAIN_TOKENS = 20_000;
/** The client ends a turn that compacts thrice in a row; whatever it is that fills the window, compacting does not help. */
const LEAST_DISTANCE_REQUESTS = 8;
/** Recorded sessions go on for a hundred requests more, wherever one looks; expecting fewer errs on the side of leaving things. */
const EXPECTED_REQUESTS = 40;

export function decideEarly(occasion: EarlyOccasion): EarlyDecision {
  const { contextTokens, baseTokens, keptTokens, isCold, isAtBoundary, model } = occasion;
  const history = Math.max(0, contextTokens - baseTokens);
  const gain = history - keptTokens;
  const { read, write } = relativePrices(model, contextTokens);
  const saved = Math.max(0, gain) * read;
  // A cold prefix is written anew whatever is decided.
  const rewrite = isCold ? 0 : keptTokens * (write - read);
  const breakEven = gain <= 0 ? Number.POSITIVE_INFINITY : rewrite / saved;
  const decide = (isDue: boolean, why: string): EarlyDecision => ({
    isDue,
    why,
    breakEvenRequests: breakEven,
    savedUsdPerRequest: quotePrice(model) ? saved : undefined,
  });
  if (occasion.requestsSince < LEAST_DISTANCE_REQUESTS) return decide(false, "the last compaction is too near");
  if (isCold && gain >= LEAST_COLD_GAIN_TOKENS)
    return decide(true, `the cache is cold: ${round(gain)} less to write anew, and to carry after`);
  if (gain < LEAST_GAIN_TOKENS) return decide(false, `only ${round(gain)} could go`);
  if (breakEven > EXPECTED_REQUESTS)
    return decide(false, `it would pay only after ${Math.ceil(breakEven - 1e-9)} requests`);
  if (history >= HARD_HISTORY_TOKENS) return decide(true, `${round(gain)} are carried with every request and can go`);
  if (history < SOFT_HISTORY_TOKENS) return decide(false, `the history is short: ${round(history)}`);
  return isAtBoundary
    ? decide(true, `a safe boundary, and ${round(gain)} can go`)
    : decide(false, `waits for a safe boundary: ${round(history)} of history`);
}

/** Per token. An unknown model has no price, but the relation of reading to writing is the same everywhere we know. */
function relativePrices(model: string, contextTokens: number): { readonly read: number; readonly write: number } {
  const price = quotePrice(model, contextTokens)?.price;
  return price ? { read: price.cacheRead / 1e6, write: price.cacheWrite5m / 1e6 } : { read: 0.1, write: 1.25 };
}

function round(tokens: number): string {
  return `${Math.max(0, Math.round(tokens / 1000))}k tokens`;
}
