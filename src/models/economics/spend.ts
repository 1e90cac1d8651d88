import { sumContextTokens, type Usage, zeroUsage } from "../../core/usage.ts";
import { findModel, type Model } from "../find-model.ts";
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

/**
 * What one request cost, or `undefined` when its model has no price. The only place where tokens are multiplied with a price.
 * A part of a request is priced with `contextTokens` of the whole, because the whole decides whether it is a long one.
 */
export function priceUsage(
  usage: Usage,
  id: string,
  { contextTokens = sumContextTokens(usage), model = findModel(id) }: { contextTokens?: number; model?: Model } = {},
): (Spend & Pick<PriceQuote, "standing">) | undefined {
  const quote = quotePrice(id, { contextTokens, ...(usage.speed && { speed: usage.speed }) }, model);
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

/** What a part of a request cost, or `undefined` when the model has no price. */
export function pricePart(
  part: Partial<Usage>,
  id: string,
  whole: { readonly contextTokens?: number } = {},
): number | undefined {
  return priceUsage({ ...zeroUsage, ...part }, id, { contextTokens: 0, ...whole })?.totalUsd;
}

/** A text that requests carry: written to the prompt cache by the first of them, read from it by every other. */
export function priceCarried(
  tokens: number,
  carriedBy: readonly { readonly model: string; readonly contextTokens?: number }[],
): { readonly usd: number; readonly isPriced: boolean } {
  const prices = carriedBy.map(({ model, contextTokens = 0 }, index) =>
    pricePart(index === 0 ? { cacheWrite5mTokens: tokens } : { cacheReadTokens: tokens }, model, { contextTokens }),
  );
  return {
    usd: prices.reduce((sum: number, usd) => sum + (usd ?? 0), 0),
    isPriced: prices.every((usd) => usd !== undefined),
  };
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
