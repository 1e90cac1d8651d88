import type { Usage } from "../../core/usage.ts";
import { findModel, type Model } from "../find-model.ts";
import type { ListPrice } from "../model-row.ts";

/** Dollars per million tokens. */
export type Price = Required<Pick<ListPrice, "input" | "output" | "cacheRead" | "cacheWrite5m" | "cacheWrite1h">>;

export interface PriceQuote {
  readonly price: Price;
  /** `published`: the vendor lists it. `assumed`: the nearest relative's price, to be shown as such. */
  readonly standing: "published" | "assumed";
}

export interface Priced extends Pick<Usage, "speed"> {
  /** Its whole input, cache included. */
  readonly contextTokens?: number;
  /** When it was made: a past request costs what was listed on its day; today's price if absent. */
  readonly atMs?: number | undefined;
}

/** Fast mode doubles the price of every model since Opus 4.8; assumed for models without a listed one. */
const USUAL_FAST = 2;

function priceOn(price: ListPrice, atMs: number | undefined): Omit<ListPrice, "before"> {
  // A record without a time has 0 here.
  if (!atMs || !price.before) return price;
  const former = price.before.filter(({ until }) => atMs < Date.parse(until)).at(-1);
  return former?.price ?? price;
}

/** `undefined` for a model without a price: no guess is made. */
export function quotePrice(
  id: string,
  { contextTokens = 0, speed, atMs }: Priced = {},
  { price }: Pick<Model, "price"> = findModel(id),
): PriceQuote | undefined {
  if (!price) return undefined;
  const list = priceOn(price, atMs);
  const fast = speed === "fast" ? (list.fast ?? USUAL_FAST) : 1;
  const isLong = list.long !== undefined && contextTokens > list.long.aboveTokens;
  const toInput = fast * (isLong ? list.long.inputTimes : 1);
  const toOutput = fast * (isLong ? list.long.outputTimes : 1);
  const isGuess = list.isAssumed === true || (speed === "fast" && list.fast === undefined);
  return {
    standing: isGuess ? "assumed" : "published",
    price: {
      input: list.input * toInput,
      output: list.output * toOutput,
      cacheRead: (list.cacheRead ?? list.input * 0.1) * toInput,
      cacheWrite5m: (list.cacheWrite5m ?? list.input * 1.25) * toInput,
      cacheWrite1h: (list.cacheWrite1h ?? list.input * 2) * toInput,
    },
  };
}

export function hasPrice(id: string): boolean {
  return findModel(id).price !== undefined;
}
