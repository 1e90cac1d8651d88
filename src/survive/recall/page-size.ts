import type { TokenWeights } from "../../core/layer.ts";
import { mixWriteRate, rateModel } from "../../models/economics/rates.ts";
import { RECOVERY_OUTPUT_TOKENS } from "../../models/economics/recovery.ts";

interface PageOccasion {
  readonly model: string;
  readonly contextTokens: number | undefined;
  /** The share of cache writes with the one-hour lifetime. */
  readonly share1h: number;
}

/**
 * 99 of 100 recorded results are below 29,000 characters, so they come in one call, even if the context is unknown or small. From 20,000
 * tokens on that costs at most a fifteenth more than the cheapest number of pages.
 */
export const SMALLEST_PAGE = 30_000;
/** The client puts a tool's answer of more than 50,000 characters into a file and shows its beginning (seen in 2.1.325). */
const LARGEST_PAGE = 48_000;
/** Average of logs and code. Denser text costs more than priced here, but is never cut off. */
const CHARACTERS_PER_TOKEN = 2.8;

/** How many characters an answer may have: the size at which one more request costs as much as carrying the text. */
export function choosePageSize({ model, contextTokens, share1h }: PageOccasion): number {
  if (contextTokens === undefined || !Number.isFinite(contextTokens)) return SMALLEST_PAGE;
  const rates = rateModel(model, contextTokens);
  const tokens = countPageTokens(contextTokens, { ...rates, write: mixWriteRate(rates, share1h) });
  return Math.round(Math.min(LARGEST_PAGE, Math.max(SMALLEST_PAGE, tokens * CHARACTERS_PER_TOKEN)));
}

const MAX_REMEMBERED = 200;

/** The context grows from page to page, but page 2 must begin where page 1 ended, so the size chosen for a question stays with it. */
export function keepPageSize(sizes: Map<string, number>, question: string, choose: () => number): number {
  const size = sizes.get(question) ?? choose();
  sizes.delete(question);
  sizes.set(question, size);
  const [oldest] = sizes.keys();
  if (sizes.size > MAX_REMEMBERED && oldest !== undefined) sizes.delete(oldest);
  return size;
}

/** For how many requests a page stays in the window. The replay assumes the same for a recall (`docs/research/benchmark.md`). */
const CARRIED_REQUESTS = 20;

/** How often the whole text is needed. Otherwise what is needed ends anywhere in it with equal probability. Assumed. */
const WHOLE_SHARE = 0.5;

/**
 * The longest text, in tokens, that is cheaper as one page than as two.
 *
 * One more request costs reading the whole context and writing a call: R = context x read + 150 x output. A token of a page
 * is written once and read with the requests that follow: c = write + 20 x read. One page of T tokens costs R + T c. With two
 * halves, the second is requested by half of those who need only a part and by all who need the whole:
 * (1 + s + (1 - s) / 2) (R + T c / 2). Both cost the same at T = 2 (1 + s) / (1 - s) x R / c.
 */
export function countPageTokens(contextTokens: number, rates: TokenWeights): number {
  const requestUnits = Math.max(0, contextTokens) * rates.read + RECOVERY_OUTPUT_TOKENS * rates.output;
  const carriedUnits = rates.write + CARRIED_REQUESTS * rates.read;
  return ((2 * (1 + WHOLE_SHARE)) / (1 - WHOLE_SHARE)) * (requestUnits / carriedUnits);
}
