import type { TokenWeights } from "../../core/layer.ts";
import type { Usage } from "../../core/usage.ts";
import { quotePrice } from "./prices.ts";

/** Relative token prices, in units of one token at the input price. They also hold for models whose dollars we do not know. */
export interface Rates {
  readonly read: number;
  readonly write5m: number;
  readonly write1h: number;
  readonly output: number;
  /** Dollars per unit; `undefined` for a model without a price. */
  readonly usdPerUnit: number | undefined;
}

const UNPRICED: Rates = { read: 0.1, write5m: 1.25, write1h: 2, output: 5, usdPerUnit: undefined };

/** The whole request decides its price: its length, and whether it is served in fast mode. */
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

/** For limits that do not count dollars: the cache lifetime makes no difference then. */
export function rateWeights({ read, write, output }: TokenWeights): Rates {
  return { read, write5m: write, write1h: write, output, usdPerUnit: undefined };
}

/** The price of a written token if `share1h` of the writes use the long lifetime. */
export function mixWriteRate(rates: Rates, share1h: number): number {
  return rates.write5m + (rates.write1h - rates.write5m) * share1h;
}
