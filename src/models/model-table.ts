import type { ListPrice, ModelRow } from "./model-row.ts";
import { OTHER_VENDORS } from "./other-vendors.ts";

/** When the table was last compared with the vendor's pages. */
export const PRICES_AS_OF = "2026-11-15";

const OLD = { tokenizer: "classic", windowTokens: 200_000, minCacheTokens: 1024, bindsThinking: false } as const;
const NEW = { tokenizer: "dense", windowTokens: 1_000_000, maxOutputTokens: 128_000, bindsThinking: false } as const;
const BINDING = { ...NEW, minCacheTokens: 512, bindsThinking: true } as const;

/** The 1M-token beta on Sonnet 4 and 4.5 (August 2025 to April 2026): input twice, output one and a half times. */
const LONG_BETA = { aboveTokens: 200_000, inputTimes: 2, outputTimes: 1.5 } as const;

/** Until 13 March 2026 the beta price applied above 200,000 tokens. */
const endBeta = (price: Omit<ListPrice, "before">): ListPrice => ({
  ...price,
  before: [{ until: "2026-03-13", price: { ...price, long: LONG_BETA } }],
});

const LONG_HAIKU = { aboveTokens: 100_000, inputTimes: 5, outputTimes: 5 } as const;

const SONNET_5_5: ListPrice = {
  input: 2,
  output: 10,
  cacheRead: 0.1,
  before: [{ until: "2026-10-07", price: { input: 2, output: 10 } }],
};

/**
 * The one place where a model is described; a new one is one row here. The first match wins, so specific rows come before general ones, and
 * the last rows catch models newer than the table.
 *
 * Sources, all below platform.claude.com/docs/en, read on the day above: about-claude/pricing and models/NAME/overview (prices, windows,
 * output, minimum to cache), build-with-claude/fast-mode (6 times on Opus 4.6 and 4.7, twice from 4.8 on),
 * build-with-claude/preserved-thinking/prefix-checks (which models bind thinking: Fable 5.1 was the first). Opus 4.6 and Sonnet 4.6 had the
 * beta price above 200,000 tokens until 13 March 2026; since then one price applies to the whole window. The client gives them 200,000
 * unless it is asked for more. Sonnet 5.5 read at a tenth before 7 October 2026.
 */
export const MODELS: readonly ModelRow[] = [
  // Released on 9 November 2026; the price is as docs.laozhang.ai quotes the vendor's list (10 November 2026).
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
    price: endBeta({ input: 5, output: 25, fast: 6 }),
  },
  { ...OLD, id: /opus-4-5/, maxOutputTokens: 64_000, minCacheTokens: 4096, price: { input: 5, output: 25 } },
  { ...OLD, id: /opus-4(?!-[2-9]\b)/, maxOutputTokens: 32_000, price: { input: 15, output: 75 } },
  { ...OLD, id: /3-opus/, maxOutputTokens: 4096, price: { input: 15, output: 75 } },
  { ...BINDING, id: /sonnet-5-5/, price: SONNET_5_5 },
  { ...NEW, id: /sonnet-5(?!-\d\b)/, minCacheTokens: 1024, price: { input: 2, output: 10 } },
  { ...OLD, id: /sonnet-4-6/, maxOutputTokens: 64_000, price: endBeta({ input: 3, output: 15 }) },
  { ...OLD, id: /sonnet-4/, maxOutputTokens: 64_000, price: { input: 3, output: 15, long: LONG_BETA } },
  { ...OLD, id: /3-7-sonnet/, maxOutputTokens: 64_000, price: { input: 3, output: 15 } },
  { ...OLD, id: /3-(?:5-)?sonnet/, maxOutputTokens: 8192, price: { input: 3, output: 15 } },
  { ...BINDING, id: /haiku-5-5/, price: { input: 0.1, output: 0.5, long: LONG_HAIKU } },
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
  // Names newer than this table: the nearest relative, with the most cautious settings.
  { ...BINDING, id: /fable|mythos/, price: { input: 8, output: 40, cacheRead: 0.2, isAssumed: true } },
  { ...BINDING, id: /opus/, price: { input: 4, output: 20, cacheRead: 0.2, isAssumed: true } },
  { ...BINDING, id: /sonnet/, price: { input: 2, output: 10, cacheRead: 0.1, isAssumed: true } },
  // Its youngest relative costs a tenth: the older price is the safer guess until the vendor's page is seen.
  { ...BINDING, id: /haiku/, price: { input: 1, output: 5, isAssumed: true } },
];

/** For unknown names. Too low a minimum costs one breakpoint in a request, too high a one loses the cache. */
export const UNKNOWN_MODEL: Omit<ModelRow, "id"> = { ...OLD, maxOutputTokens: 32_000 };
