import { sumContextTokens, type Usage } from "../../core/usage.ts";
import { type PriceQuote, quotePrice } from "./prices.ts";

/** Dollars by what they were paid for. */
export interface Spend {
  readonly inputUsd: number;
  readonly cacheReadUsd: number;
  readonly cacheWriteUsd: number;
  readonly outputUsd: number;
  readonly totalUsd: number;
}

export const zeroSpend: Spend = { inputUsd: 0, cacheReadUsd: 0, cacheWriteUsd: 0, outputUsd: 0, totalUsd: 0 };

/** What one request cost, or `undefined` when its model has no price. */
export function priceUsage(usage: Usage, model: string): (Spend & Pick<PriceQuote, "standing">) | undefined {
  const quote = quotePrice(model, sumContextTokens(usage));
  if (!quote) return undefined;
  const { price } = quote;
  const inputUsd = (usage.inputTokens * price.input) / 1e6;
  const cacheReadUsd = (usage.cacheReadTokens * price.cacheRead) / 1e6;
  const cacheWriteUsd =
    (usage.cacheWrite5mTokens * price.cacheWrite5m + usage.cacheWrite1hTokens * price.cacheWrite1h) / 1e6;
  const outputUsd = (usage.outputTokens * price.output) / 1e6;
  const totalUsd = inputUsd + cacheReadUsd + cacheWriteUsd + outputUsd;
  return { inputUsd, cacheReadUsd, cacheWriteUsd, outputUsd, totalUsd, standing: quote.standing };
}

export function addSpend(left: Spend, right: Spend, sign: 1 | -1 = 1): Spend {
  return {
    inputUsd: left.inputUsd + sign * right.inputUsd,
    cacheReadUsd: left.cacheReadUsd + sign * right.cacheReadUsd,
    cacheWriteUsd: left.cacheWriteUsd + sign * right.cacheWriteUsd,
    outputUsd: left.outputUsd + sign * right.outputUsd,
    totalUsd: left.totalUsd + sign * right.totalUsd,
  };
}
