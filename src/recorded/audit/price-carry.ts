import { sumContextTokens, type Usage } from "../../core/usage.ts";
import type { CachingRequest } from "../../models/economics/cache-state.ts";
import { hasPrice } from "../../models/economics/prices.ts";
import { pricePart } from "../../models/economics/spend.ts";

export interface MonthlyPrice {
  /** At the user's own requests per month; `undefined` if none is recorded or priced. */
  readonly usdPerMonth: number | undefined;
  /** Some requests have no price, so the dollars are a lower bound. */
  readonly isAtLeast: boolean;
}

export interface Month {
  readonly requests: readonly CachingRequest[];
  readonly unpriced: number;
  /** From the first of them to the last: at most thirty. */
  readonly days: number;
}

const DAY_MS = 86_400_000;
const MONTH_MS = 30 * DAY_MS;

/** The thirty days up to the newest request, so that a paused project keeps its pace. */
export function selectMonth(steps: readonly CachingRequest[]): Month {
  const newest = steps.reduce((latest, { atMs }) => Math.max(latest, atMs ?? 0), 0);
  const requests = steps.filter(({ atMs }) => atMs !== undefined && atMs > newest - MONTH_MS);
  const oldest = requests.reduce((earliest, { atMs = newest }) => Math.min(earliest, atMs), newest);
  const unpriced = requests.filter(({ model }) => !hasPrice(model)).length;
  return { requests, unpriced, days: Math.ceil((newest - oldest) / DAY_MS) };
}

/**
 * Dollars for carrying so many tokens at the front of each of these requests: read from the prompt cache if the request read anything,
 * written if it wrote, and at the full price if it did neither.
 */
export function priceCarry(tokens: number, { requests, unpriced }: Month): MonthlyPrice {
  const isAtLeast = unpriced > 0;
  if (requests.length === unpriced) return { usdPerMonth: undefined, isAtLeast };
  const usdPerMonth = requests.reduce((sum, { model, usage }) => {
    const part = { ...(usage.speed && { speed: usage.speed }), [travelOf(usage)]: tokens };
    return sum + (pricePart(part, model, { contextTokens: sumContextTokens(usage) }) ?? 0);
  }, 0);
  return { usdPerMonth, isAtLeast };
}

/** How the front of a request was billed. */
function travelOf(usage: Usage): keyof Usage {
  if (usage.cacheReadTokens > 0) return "cacheReadTokens";
  if (usage.cacheWrite1hTokens > 0) return "cacheWrite1hTokens";
  return usage.cacheWrite5mTokens > 0 ? "cacheWrite5mTokens" : "inputTokens";
}
