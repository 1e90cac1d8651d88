import type { TokenWeights } from "../../core/layer.ts";
import type { Usage } from "../../core/usage.ts";
import { quotePrice } from "./prices.ts";

/**
 * What a token costs by how it travels, in units: one unit is one token at the input price. The relations hold for models
 * whose dollars nobody here knows.
 */
export interface Rates {
  readonly read: number;
  readonly write5m: number;
  readonly write1h: number;
  readonly output: number;
  /** Dollars per unit; `undefined` for a model without a price. */
  readonly usdPerUnit: number | undefined;
}

const UNPRICED: Rates = { read: 0.1, write5m: 1.25, write1h: 2, output: 5, usdPerUnit: undefined };

/** The whole request decides its price: how long it is, and whether it is served in fast mode. */
export function rateModel(model: string, contextTokens = 0, speed?: Usage["speed"]): Rates {
  const price = quotePrice(model, { contextTokens, ...(speed && { speed }) })?.price;
  if (!price) return UNPRICED;
  return {
    read: price.cacheRead / price.input,
    write5m: price.cacheWrite5m / price.input,
    write1h: price.cacheWrite1h / price.input,
    output: price.output / price.input,
    usdPerUnit: price.input / 1e6,
  };
}

/** Where something else than dollars is counted: how long an entry of the cache lives makes no difference then. */
export function rateWeights({ read, write, output }: TokenWeights): Rates {
  return { read, write5m: write, write1h: write, output, usdPerUnit: undefined };
}

/** The price of a written token where `share1h` of the writing is for the long life time. */
export function mixWriteRate(rates: Rates, share1h: number): number {
  return rates.write5m + (rates.write1h - rates.write5m) * share1h;
}
