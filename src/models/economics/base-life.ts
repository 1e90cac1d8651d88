import { type Rates, rateModel } from "./rates.ts";

/** How often a session comes back after a pause, on average. */
export interface Pauses {
  /** Longer than the short life time of a cache entry, within the long one. */
  readonly afterShort: number;
  readonly afterLong: number;
}

/** Of 84 recorded sessions with at least ten requests, 11,109 in all. */
export const USUAL_PAUSES: Pauses = { afterShort: 3.4, afterLong: 0.46 };

/**
 * For how long system prompt and tools are best cached. They are the same in every request, so that each request after a pause within the hour reads
 * what was written for an hour, and writes anew what was written for five minutes.
 */
export function chooseBaseLife(model: string, pauses: Pauses = USUAL_PAUSES): "short" | "long" {
  const rates = rateModel(model);
  return priceLong(rates, pauses) < priceShort(rates, pauses) ? "long" : "short";
}

function priceShort({ write5m }: Rates, { afterShort, afterLong }: Pauses): number {
  return (1 + afterShort + afterLong) * write5m;
}

function priceLong({ write1h, read }: Rates, { afterShort, afterLong }: Pauses): number {
  return (1 + afterLong) * write1h + afterShort * read;
}
