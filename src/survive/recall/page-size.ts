import { countPageTokens } from "../../models/economics/page-size.ts";
import { mixWriteRate, rateModel } from "../../models/economics/rates.ts";

/** What a page is asked for into, as far as anybody knows. */
export interface PageOccasion {
  readonly model: string;
  readonly contextTokens: number | undefined;
  /** How much of what is written to the cache is kept for an hour. */
  readonly share1h: number;
}

/**
 * 99 of 100 recorded results are below 29,000: they come in one call, also where nothing is known of the context or it is
 * small; from 20,000 tokens on that costs at most a fifteenth more than the cheapest number of pages would.
 */
export const SMALLEST_PAGE = 30_000;
/** The client puts a tool's answer of more than 50,000 characters into a file and shows its beginning (seen in 2.1.325). */
const LARGEST_PAGE = 48_000;
/** Of logs and code together; what is dense is dearer than priced here, never cut off. */
const CHARACTERS_PER_TOKEN = 2.8;

/** How many characters an answer may have: the size at which one more request costs what carrying it does. */
export function choosePageSize({ model, contextTokens, share1h }: PageOccasion): number {
  if (contextTokens === undefined || !Number.isFinite(contextTokens)) return SMALLEST_PAGE;
  const rates = rateModel(model, contextTokens);
  const tokens = countPageTokens(contextTokens, { ...rates, write: mixWriteRate(rates, share1h) });
  return Math.round(Math.min(LARGEST_PAGE, Math.max(SMALLEST_PAGE, tokens * CHARACTERS_PER_TOKEN)));
}

/** So many different questions are remembered. */
const MAX_REMEMBERED = 200;

/**
 * The context grows from page to page, and what follows page 1 must begin where that ended: the size that was chosen for a
 * question stays with it.
 */
export function keepPageSize(sizes: Map<string, number>, question: string, choose: () => number): number {
  const size = sizes.get(question) ?? choose();
  sizes.delete(question);
  sizes.set(question, size);
  const [oldest] = sizes.keys();
  if (sizes.size > MAX_REMEMBERED && oldest !== undefined) sizes.delete(oldest);
  return size;
}
