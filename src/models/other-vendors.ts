import type { ListPrice, ModelRow, PriceSource } from "./model-row.ts";

/** Read on the vendor's own page. */
const OPENAI = (name: string): PriceSource => ({
  page: `developers.openai.com/api/docs/models/${name}`,
  readOn: "2026-11-16",
});
/** The vendor's page as others copied it, figure by figure. */
const copied = (page: string, readOn: string, by: string): PriceSource => ({ page, readOn, by });
const OPENAI_LIST = copied("developers.openai.com/api/docs/pricing", "2026-05-04", "github.com/api-evangelist/openai");
const OPENAI_GPT_6 = copied(
  "developers.openai.com/api/docs/pricing",
  "2026-09-22",
  "github.com/merefield/codexometer/releases/tag/v0.18.4",
);
const GOOGLE_LIST = copied("ai.google.dev/gemini-api/docs/pricing", "2026-09-20", "github.com/api-evangelist/gemini");
/** What GitHub charges for the model, which equals the vendor's list price wherever both were seen. */
const GITHUB: PriceSource = {
  page: "docs.github.com/en/copilot/reference/copilot-billing/models-and-pricing",
  readOn: "2026-11-16",
};
const LLM_PRICES: PriceSource = { page: "llm-prices.com", readOn: "2026-11-16" };

const UNMARKED = {
  tokenizer: "classic",
  minCacheTokens: 1024,
  bindsThinking: false,
  maxOutputTokens: 128_000,
  cachesUnmarked: true,
} as const;
/** Writing is priced as plain input, because the vendor charges nothing extra for it. */
const priceUnmarked = (input: number, output: number, source: PriceSource): ListPrice => ({
  input,
  output,
  cacheWrite5m: input,
  cacheWrite1h: input,
  source,
});
const LONG = { aboveTokens: 272_000, inputTimes: 2, outputTimes: 1.5 } as const;
const GPT = { ...UNMARKED, windowTokens: 272_000 } as const;
const HALF_HOUR = { short: 1_800_000, long: 1_800_000 };
/** From 5.6 on a written token costs 1.25 times as much and lives for half an hour. */
const listWritten = (input: number, output: number, source: PriceSource, cacheRead = input / 10): ListPrice => ({
  input,
  output,
  cacheRead,
  cacheWrite1h: input * 1.25,
  long: LONG,
  source,
});
const priceWritten = (...price: Parameters<typeof listWritten>): Pick<ModelRow, "price" | "cacheLifeMs"> => ({
  cacheLifeMs: HALF_HOUR,
  price: listWritten(...price),
});
const GEMINI_2 = { ...UNMARKED, windowTokens: 1_048_576, maxOutputTokens: 65_536, minCacheTokens: 2048 } as const;
const GEMINI = { ...GEMINI_2, minCacheTokens: 4096 } as const;
const LONG_GEMINI = { ...LONG, aboveTokens: 200_000 } as const;

/**
 * Models that other clients run: each price with its page and the day it was read. docs/prices.md is written from here. A variant that no
 * page lists (`-pro`, `-spark`) has no price. Codex gives GPT models 272,000 tokens; the API takes more, at the price for long requests.
 *
 * Cache rules: developers.openai.com/api/docs/guides/prompt-caching (from 1,024 tokens on; free to write before GPT-5.6, 1.25 times the
 * input from then on, for 30 minutes; before it "5 to 10 minutes" of idleness, of which the shorter is taken) and
 * ai.google.dev/gemini-api/docs/caching (from 4,096 tokens on, 2,048 before Gemini 3; nothing to write). Google does not say how long: five
 * minutes is a guess that affects no recorded dollar.
 */
export const OTHER_VENDORS: readonly ModelRow[] = [
  {
    ...GPT,
    id: /gpt-6-1-terra(?!-[a-z])/,
    ...priceWritten(1, 5, { page: "docs.litellm.ai/blog/gpt-6-1-terra", readOn: "2026-10-26" }, 0.05),
  },
  {
    ...GPT,
    id: /gpt-6-1-sol(?!-[a-z])/,
    ...priceWritten(2, 10, { page: "docs.apiyi.com/en/news/gpt-6-1-sol-launch", readOn: "2026-09-29" }, 0.1),
  },
  {
    ...GPT,
    id: /gpt-6-astra(?!-[a-z])/,
    ...priceWritten(10, 50, { page: "github.com/BerriAI/litellm/discussions/39633", readOn: "2026-11-16" }),
  },
  { ...GPT, id: /gpt-6-sol(?!-[a-z])/, ...priceWritten(2, 10, OPENAI("gpt-6-sol")) },
  { ...GPT, id: /gpt-6-luna(?!-[a-z])/, ...priceWritten(0.1, 0.5, OPENAI_GPT_6) },
  // The price of Sol is an offer until at least 21 November 2026; before September 2026 it was $5 and $30.
  {
    ...GPT,
    id: /gpt-5-6(?:-sol)?(?!-[a-z])/,
    cacheLifeMs: HALF_HOUR,
    price: {
      ...listWritten(4, 20, OPENAI("gpt-5.6-sol")),
      before: [{ until: "2026-09-01", price: listWritten(5, 30, OPENAI("gpt-5.6-sol")) }],
    },
  },
  { ...GPT, id: /gpt-5-6-terra(?!-[a-z])/, ...priceWritten(2, 12, GITHUB) },
  { ...GPT, id: /gpt-5-6-luna(?!-[a-z])/, ...priceWritten(0.2, 1.2, GITHUB) },
  { ...GPT, id: /gpt-5-5(?!-[a-z]|\d)/, price: { ...priceUnmarked(5, 30, OPENAI_LIST), long: LONG } },
  { ...GPT, id: /gpt-5-4-mini/, price: priceUnmarked(0.75, 4.5, OPENAI_LIST) },
  { ...GPT, id: /gpt-5-4-nano/, price: priceUnmarked(0.2, 1.25, OPENAI_LIST) },
  { ...GPT, id: /gpt-5-4(?!-[a-z]|\d)/, price: { ...priceUnmarked(2.5, 15, OPENAI_LIST), long: LONG } },
  { ...GPT, id: /gpt-5-3-codex-spark/, windowTokens: 128_000 },
  { ...GPT, id: /gpt-5-3-codex(?!-[a-z]|\d)/, price: priceUnmarked(1.75, 14, GITHUB) },
  { ...GPT, id: /gpt-5-2(?:-codex)?(?!-[a-z]|\d)/, price: priceUnmarked(1.75, 14, GITHUB) },
  { ...GPT, id: /gpt-5-mini/, price: priceUnmarked(0.25, 2, GITHUB) },
  { ...GPT, id: /gpt-5-nano/, price: priceUnmarked(0.05, 0.4, OPENAI("gpt-5-nano")) },
  { ...GPT, id: /gpt-5(?:-1)?(?:-codex)?(?!-[a-z]|-\d\b)/, price: priceUnmarked(1.25, 10, OPENAI("gpt-5-codex")) },
  { ...GPT, id: /gpt-/ },
  // Half of the price from 1 January 2027 on.
  { ...GEMINI, id: /gemini-3-[678]-flash(?!-lite)/, price: priceUnmarked(0.75, 3.75, GOOGLE_LIST) },
  { ...GEMINI, id: /gemini-3-5-flash(?!-lite)/, price: priceUnmarked(1.5, 9, GOOGLE_LIST) },
  { ...GEMINI, id: /gemini-3-1-pro/, price: { ...priceUnmarked(2, 12, GOOGLE_LIST), long: LONG_GEMINI } },
  // No page was seen with the cache-read price of these two: a tenth, as for their relatives.
  { ...GEMINI, id: /gemini-3-flash(?!-lite)/, price: { ...priceUnmarked(0.5, 3, LLM_PRICES), isAssumed: true } },
  {
    ...GEMINI,
    id: /gemini-3-pro(?!-image)/,
    price: { ...priceUnmarked(2, 12, LLM_PRICES), long: LONG_GEMINI, isAssumed: true },
  },
  { ...GEMINI_2, id: /gemini-2-5-pro/, price: { ...priceUnmarked(1.25, 10, LLM_PRICES), long: LONG_GEMINI } },
  { ...GEMINI_2, id: /gemini-2-5-flash-lite/, price: priceUnmarked(0.1, 0.4, LLM_PRICES) },
  { ...GEMINI_2, id: /gemini-2-5-flash(?!-image)/, price: priceUnmarked(0.3, 2.5, LLM_PRICES) },
  { ...GEMINI, id: /gemini-/ },
];
