/** Two generations of tokenizers are in use; the newer one makes about 1.4 times as many tokens of the same text. */
export type Tokenizer = "classic" | "dense";

/** Dollars per million tokens, as the vendor lists them. What is left out follows from `input` by the usual shares. */
export interface ListPrice {
  readonly input: number;
  readonly output: number;
  /** A tenth of `input` where it is left out. */
  readonly cacheRead?: number;
  /** 1.25 times `input` where it is left out. */
  readonly cacheWrite5m?: number;
  /** Twice `input` where it is left out. */
  readonly cacheWrite1h?: number;
  /** What fast mode multiplies every price with; absent where the vendor lists no fast mode. */
  readonly fast?: number;
  /** A request with more input than this, cache included, is charged so all through, the first token too. */
  readonly long?: { readonly aboveTokens: number; readonly inputTimes: number; readonly outputTimes: number };
  /** Not read off the vendor's own page: the nearest relative's price, or what others quote. */
  readonly isAssumed?: true;
}

/** All that is known of a family of models. */
export interface ModelRow {
  /** Found anywhere in the id, so that a provider's prefix, a date or `[1m]` behind it do not matter. */
  readonly id: RegExp;
  readonly tokenizer: Tokenizer;
  /** What the client uses unless it is told otherwise: `[1m]` behind the id asks for the larger one. */
  readonly windowTokens: number;
  readonly maxOutputTokens: number;
  /** A shorter prefix is silently not cached. */
  readonly minCacheTokens: number;
  /** How long the two kinds of cache entries live without being used; five minutes and an hour where it is left out. */
  readonly cacheLifeMs?: { readonly short: number; readonly long: number };
  /** Whatever is sent is cached for the short life, without a mark and without being told as written. */
  readonly cachesUnmarked?: true;
  /** Whether a thinking block is refused or dropped when anything before it has changed. */
  readonly bindsThinking: boolean;
  /** Absent where no price is known: then no dollars are told, rather than a guess. */
  readonly price?: ListPrice;
}

/** When the table was last compared with the vendor's pages. */
export const PRICES_AS_OF = "2026-11-15";

const OLD = { tokenizer: "classic", windowTokens: 200_000, minCacheTokens: 1024, bindsThinking: false } as const;
const NEW = { tokenizer: "dense", windowTokens: 1_000_000, maxOutputTokens: 128_000, bindsThinking: false } as const;
const BINDING = { ...NEW, minCacheTokens: 512, bindsThinking: true } as const;

/** The beta of 1M tokens on Sonnet 4 and 4.5 (August 2025 to April 2026): input twice, output one and a half times. */
const LONG_BETA = { aboveTokens: 200_000, inputTimes: 2, outputTimes: 1.5 } as const;

const UNMARKED = { ...OLD, maxOutputTokens: 128_000, cachesUnmarked: true } as const;
/** Writing costs what plain input costs, where the vendor charges nothing for it. */
const priceUnmarked = (input: number, output: number): ListPrice => ({
  input,
  output,
  cacheWrite5m: input,
  cacheWrite1h: input,
  isAssumed: true,
});
const LONG = { aboveTokens: 272_000, inputTimes: 2, outputTimes: 1.5 } as const;
const GPT = { ...UNMARKED, windowTokens: 272_000 } as const;
const HALF_HOUR = { short: 1_800_000, long: 1_800_000 };
/** From 5.6 on a written token costs 1.25 times as much and lives for half an hour. */
const priceWritten = (
  input: number,
  output: number,
  aboveTokens = 272_000,
): Pick<ModelRow, "price" | "cacheLifeMs"> => ({
  cacheLifeMs: HALF_HOUR,
  price: { input, output, cacheWrite1h: input * 1.25, long: { ...LONG, aboveTokens }, isAssumed: true },
});
const GEMINI = { ...UNMARKED, windowTokens: 1_048_576, maxOutputTokens: 65_536 } as const;

/**
 * Models that other clients run. Prices as GitHub's documentation lists them model by model (its table of models and pricing, read on 16 November
 * 2026) and, where pi recorded what a request cost, as it did: the vendors' own pages were not seen, so they are marked as assumed. A variant that is not listed
 * (`-pro`, `-spark`) has no price. 272,000 tokens is what Codex gives them; the API takes more, at the price for long requests.
 */
const OTHER_VENDORS: readonly ModelRow[] = [
  { ...GPT, id: /gpt-5-6-sol(?!-[a-z])/, ...priceWritten(5, 30) },
  { ...GPT, id: /gpt-5-6-terra(?!-[a-z])/, ...priceWritten(2, 12) },
  { ...GPT, id: /gpt-5-6-luna(?!-[a-z])/, ...priceWritten(0.2, 1.2, 200_000) },
  { ...GPT, id: /gpt-5-5(?!-[a-z]|\d)/, price: { ...priceUnmarked(5, 30), long: LONG } },
  { ...GPT, id: /gpt-5-4-mini/, price: priceUnmarked(0.75, 4.5) },
  { ...GPT, id: /gpt-5-4-nano/, price: priceUnmarked(0.2, 1.25) },
  { ...GPT, id: /gpt-5-4(?!-[a-z]|\d)/, price: { ...priceUnmarked(2.5, 15), long: LONG } },
  { ...GPT, id: /gpt-5-3-codex-spark/, windowTokens: 128_000 },
  { ...GPT, id: /gpt-5-3-codex(?!-[a-z]|\d)/, price: priceUnmarked(1.75, 14) },
  { ...GPT, id: /gpt-5-2(?:-codex)?(?!-[a-z]|\d)/, price: priceUnmarked(1.75, 14) },
  { ...GPT, id: /gpt-5-mini/, price: priceUnmarked(0.25, 2) },
  { ...GPT, id: /gpt-5(?:-1)?(?:-codex)?(?!-[a-z]|-\d\b)/, price: priceUnmarked(1.25, 10) },
  { ...GPT, id: /gpt-/ },
  {
    ...GEMINI,
    id: /gemini-3-1-pro/,
    price: { ...priceUnmarked(2, 12), long: { ...LONG, aboveTokens: 200_000 } },
  },
  { ...GEMINI, id: /gemini-3-5-flash(?!-lite)/, price: priceUnmarked(1.5, 9) },
  { ...GEMINI, id: /gemini-3-flash(?!-lite)/, price: priceUnmarked(0.5, 3) },
  { ...GEMINI, id: /gemini-/ },
];

/**
 * The one place where a model is described; a new one is one row here. The first match wins, so the particular stands before the
 * general, and the last rows take in what is newer than the table.
 *
 * Sources, all below platform.claude.com/docs/en, read on the day above: about-claude/pricing and models/NAME/overview (prices,
 * windows, output, minimum to cache), build-with-claude/fast-mode (6 times on Opus 4.6 and 4.7, twice from 4.8 on),
 * build-with-claude/preserved-thinking/prefix-checks (which models bind thinking: Fable 5.1 was the first). Opus 4.6 and
 * Sonnet 4.6 had the beta's price above 200,000 tokens until 13 March 2026; since then one price holds for the whole window.
 * The client gives them 200,000 unless it is asked for more. Sonnet 5.5 read at a tenth before 7 October 2026.
 */
export const MODELS: readonly ModelRow[] = [
  // Released on 9 November 2026; the price is as resellers quote the vendor's list.
  { ...BINDING, id: /(?:fable|mythos)-5-2/, price: { input: 8, output: 40, cacheRead: 0.2, isAssumed: true } },
  { ...BINDING, id: /(?:fable|mythos)-5-1/, price: { input: 10, output: 50, cacheRead: 0.25 } },
  { ...NEW, id: /(?:fable|mythos)-5(?!-\d\b)/, minCacheTokens: 512, price: { input: 10, output: 50 } },
  { ...BINDING, id: /opus-5-5/, price: { input: 4, output: 20, cacheRead: 0.2, fast: 2 } },
  { ...NEW, id: /opus-5(?!-\d\b)/, minCacheTokens: 512, price: { input: 5, output: 25, fast: 2 } },
  { ...NEW, id: /opus-4-8/, minCacheTokens: 1024, price: { input: 5, output: 25, fast: 2 } },
  { ...NEW, id: /opus-4-7/, minCacheTokens: 2048, price: { input: 5, output: 25, fast: 6 } },
  {
    ...OLD,
    id: /opus-4-6/,
    maxOutputTokens: 128_000,
    minCacheTokens: 4096,
    price: { input: 5, output: 25, fast: 6 },
  },
  { ...OLD, id: /opus-4-5/, maxOutputTokens: 64_000, minCacheTokens: 4096, price: { input: 5, output: 25 } },
  { ...OLD, id: /opus-4(?!-[2-9]\b)/, maxOutputTokens: 32_000, price: { input: 15, output: 75 } },
  { ...OLD, id: /3-opus/, maxOutputTokens: 4096, price: { input: 15, output: 75 } },
  { ...BINDING, id: /sonnet-5-5/, price: { input: 2, output: 10, cacheRead: 0.1 } },
  { ...NEW, id: /sonnet-5(?!-\d\b)/, minCacheTokens: 1024, price: { input: 2, output: 10 } },
  { ...OLD, id: /sonnet-4-6/, maxOutputTokens: 64_000, price: { input: 3, output: 15 } },
  { ...OLD, id: /sonnet-4/, maxOutputTokens: 64_000, price: { input: 3, output: 15, long: LONG_BETA } },
  { ...OLD, id: /3-7-sonnet/, maxOutputTokens: 64_000, price: { input: 3, output: 15 } },
  { ...OLD, id: /3-(?:5-)?sonnet/, maxOutputTokens: 8192, price: { input: 3, output: 15 } },
  {
    ...BINDING,
    id: /haiku-5-5/,
    price: { input: 0.1, output: 0.5, long: { aboveTokens: 100_000, inputTimes: 5, outputTimes: 5 } },
  },
  { ...OLD, id: /haiku-4/, maxOutputTokens: 64_000, minCacheTokens: 4096, price: { input: 1, output: 5 } },
  { ...OLD, id: /3-5-haiku/, maxOutputTokens: 8192, minCacheTokens: 2048, price: { input: 0.8, output: 4 } },
  {
    ...OLD,
    id: /3-haiku/,
    maxOutputTokens: 4096,
    minCacheTokens: 2048,
    price: { input: 0.25, output: 1.25, cacheRead: 0.03, cacheWrite5m: 0.3 },
  },
  ...OTHER_VENDORS,
  // Names newer than this table: the nearest relative, and whatever asks for the most care.
  { ...BINDING, id: /fable|mythos/, price: { input: 8, output: 40, cacheRead: 0.2, isAssumed: true } },
  { ...BINDING, id: /opus/, price: { input: 4, output: 20, cacheRead: 0.2, isAssumed: true } },
  { ...BINDING, id: /sonnet/, price: { input: 2, output: 10, cacheRead: 0.1, isAssumed: true } },
  // Its youngest relative costs a tenth: the older price is the safer guess until the vendor's page is seen.
  { ...BINDING, id: /haiku/, price: { input: 1, output: 5, isAssumed: true } },
];

/** A name nobody here knows. Too low a minimum costs one mark in a request, too high a one the cache. */
export const UNKNOWN_MODEL: Omit<ModelRow, "id"> = { ...OLD, maxOutputTokens: 32_000 };
