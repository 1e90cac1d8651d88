import type { ListPrice, ModelRow } from "./model-row.ts";

const UNMARKED = {
  tokenizer: "classic",
  minCacheTokens: 1024,
  bindsThinking: false,
  maxOutputTokens: 128_000,
  cachesUnmarked: true,
} as const;
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
export const OTHER_VENDORS: readonly ModelRow[] = [
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
