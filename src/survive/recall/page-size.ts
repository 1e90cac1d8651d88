import { mixWriteRate, rateModel } from "../../models/economics/rates.ts";
import { RECOVERY_OUTPUT_TOKENS, type RecoveryRates } from "../../models/economics/recovery.ts";

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

/** How long a page that was asked for stays in view: what the replay takes for a recall, too (`docs/research/benchmark.md`). */
const CARRIED_REQUESTS = 20;

/** Who asks for a text needs all of it so often; otherwise it ends being needed anywhere, here as likely as there. Assumed. */
const WHOLE_SHARE = 0.5;

/**
 * The longest text that is cheaper as one page than as two, in tokens.
 *
 * A request more costs reading the whole context and writing a call: R = context x read + 150 x output. A token of a page
 * costs being written once and read with the requests that follow: c = write + 20 x read. One page of T tokens costs
 * R + T c. Of two halves the second is asked for by half of those who need only a part and by all who need the whole:
 * (1 + s + (1 - s) / 2) (R + T c / 2). Both cost the same at T = 2 (1 + s) / (1 - s) x R / c.
 */
export function countPageTokens(contextTokens: number, rates: RecoveryRates): number {
  const requestUnits = Math.max(0, contextTokens) * rates.read + RECOVERY_OUTPUT_TOKENS * rates.output;
  const carriedUnits = rates.write + CARRIED_REQUESTS * rates.read;
  return ((2 * (1 + WHOLE_SHARE)) / (1 - WHOLE_SHARE)) * (requestUnits / carriedUnits);
}
