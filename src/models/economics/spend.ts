import { sumContextTokens, type Usage, zeroUsage } from "../../core/usage.ts";
import { findModel, type Model } from "../find-model.ts";
import { type Price, type Priced, type PriceQuote, quotePrice } from "./prices.ts";
import { rateModel } from "./rates.ts";

export interface Spend {
  readonly inputUsd: number;
  readonly cacheReadUsd: number;
  readonly cacheWriteUsd: number;
  readonly outputUsd: number;
  readonly totalUsd: number;
}

export const zeroSpend: Spend = { inputUsd: 0, cacheReadUsd: 0, cacheWriteUsd: 0, outputUsd: 0, totalUsd: 0 };

/** Dollars as the client recorded them, or at the list price. */
export type PricedSpend = Spend & { readonly standing: PriceQuote["standing"] | "recorded" };

type PriceOptions = Omit<Priced, "speed"> & { readonly model?: Model };

/** The cost of one request: as the client recorded it, otherwise by the list; `undefined` if neither is known. */
export function priceUsage(usage: Usage, id: string, options: PriceOptions = {}): PricedSpend | undefined {
  const listed = priceByList(usage, id, options);
  const { recordedUsd } = usage;
  if (recordedUsd === undefined) return listed;
  const parts = listed ?? splitByRates(usage, id);
  const share = parts.totalUsd > 0 ? recordedUsd / parts.totalUsd : 0;
  return { ...addSpend(zeroSpend, parts, share), totalUsd: recordedUsd, standing: "recorded" };
}

/** If the price is unknown, the bill is split in the usual proportions. */
function splitByRates(usage: Usage, id: string): Spend {
  const { read, write5m, write1h, output } = rateModel(id);
  return multiply(usage, { input: 1, output, cacheRead: read, cacheWrite5m: write5m, cacheWrite1h: write1h });
}

/** The only place where tokens are multiplied with a price. */
function multiply(usage: Usage, price: Price): Spend {
  const inputUsd = (usage.inputTokens * price.input) / 1e6;
  const cacheReadUsd = (usage.cacheReadTokens * price.cacheRead) / 1e6;
  const cacheWriteUsd =
    (usage.cacheWrite5mTokens * price.cacheWrite5m + usage.cacheWrite1hTokens * price.cacheWrite1h) / 1e6;
  const outputUsd = (usage.outputTokens * price.output) / 1e6;
  const totalUsd = inputUsd + cacheReadUsd + cacheWriteUsd + outputUsd;
  return { inputUsd, cacheReadUsd, cacheWriteUsd, outputUsd, totalUsd };
}

/**
 * The cost of one request at the list price of its day, or `undefined` if its model has none. A part of a request is priced with
 * `contextTokens` of the whole, because the whole decides whether the long-request price applies.
 */
export function priceByList(
  usage: Usage,
  id: string,
  { contextTokens = sumContextTokens(usage), model = findModel(id), atMs }: PriceOptions = {},
): PricedSpend | undefined {
  const quote = quotePrice(id, { contextTokens, atMs, ...(usage.speed && { speed: usage.speed }) }, model);
  return quote && { ...multiply(usage, quote.price), standing: quote.standing };
}

/** The cost of a part of a request; `undefined` if the model has no price. */
export function pricePart(
  part: Partial<Usage>,
  id: string,
  whole: Pick<PriceOptions, "contextTokens" | "atMs"> = {},
): number | undefined {
  return priceByList({ ...zeroUsage, ...part }, id, { contextTokens: 0, ...whole })?.totalUsd;
}

/** A text that several requests carry: the first writes it to the prompt cache, the others read it. */
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

export function addSpend(left: Spend, right: Spend, sign = 1): Spend {
  return {
    inputUsd: left.inputUsd + sign * right.inputUsd,
    cacheReadUsd: left.cacheReadUsd + sign * right.cacheReadUsd,
    cacheWriteUsd: left.cacheWriteUsd + sign * right.cacheWriteUsd,
    outputUsd: left.outputUsd + sign * right.outputUsd,
    totalUsd: left.totalUsd + sign * right.totalUsd,
  };
}
