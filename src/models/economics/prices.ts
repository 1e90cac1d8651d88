/** Dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
}

export interface PriceQuote {
  readonly price: Price;
  /** `published`: read off the vendor's model page. `assumed`: the nearest relative's price, to be shown as such. */
  readonly standing: "published" | "assumed";
}

/** When the table below was last compared with the vendor's pages. */
export const PRICES_AS_OF = "2026-11-15";

interface Row {
  readonly pattern: RegExp;
  readonly standing: PriceQuote["standing"];
  readonly input: number;
  readonly output: number;
  /** Cache reads as a share of the input price; 0.1 unless the vendor says otherwise. */
  readonly readShare?: number;
  /** Requests above so many tokens cost `input` and `output` times `factor`. */
  readonly above?: { readonly tokens: number; readonly factor: number };
}

/** First match wins, so the particular stands before the general. */
const ROWS: readonly Row[] = [
  { pattern: /fable-5-1|mythos-5-1/, standing: "assumed", input: 10, output: 50 },
  { pattern: /fable-5|mythos-5/, standing: "published", input: 10, output: 50 },
  { pattern: /opus-5-5/, standing: "published", input: 4, output: 20, readShare: 0.05 },
  { pattern: /opus-5|opus-4-[5678]/, standing: "published", input: 5, output: 25 },
  { pattern: /opus-4(?!-[2-9]\b)|3-opus/, standing: "published", input: 15, output: 75 },
  { pattern: /sonnet-5/, standing: "published", input: 2, output: 10 },
  { pattern: /sonnet-4|3-(?:[57]-)?sonnet/, standing: "published", input: 3, output: 15 },
  { pattern: /haiku-5-5/, standing: "published", input: 0.1, output: 0.5, above: { tokens: 100_000, factor: 5 } },
  { pattern: /haiku-4/, standing: "published", input: 1, output: 5 },
  { pattern: /3-5-haiku/, standing: "published", input: 0.8, output: 4 },
  { pattern: /3-haiku/, standing: "published", input: 0.25, output: 1.25 },
  { pattern: /fable|mythos/, standing: "assumed", input: 10, output: 50 },
  { pattern: /opus/, standing: "assumed", input: 4, output: 20, readShare: 0.05 },
  { pattern: /sonnet/, standing: "assumed", input: 2, output: 10 },
  { pattern: /haiku/, standing: "assumed", input: 1, output: 5 },
];

/** The price of a request of so many tokens, or `undefined` for a model nobody here knows: no guess is made then. */
export function quotePrice(model: string, contextTokens = 0): PriceQuote | undefined {
  const row = findRow(model);
  if (!row) return undefined;
  const factor = row.above && contextTokens > row.above.tokens ? row.above.factor : 1;
  const input = row.input * factor;
  return {
    standing: row.standing,
    price: {
      input,
      output: row.output * factor,
      cacheRead: input * (row.readShare ?? 0.1),
      cacheWrite5m: input * 1.25,
      cacheWrite1h: input * 2,
    },
  };
}

const rows = new Map<string, Row | undefined>();

/** Accounts ask for the same few models once a request. */
function findRow(model: string): Row | undefined {
  if (rows.has(model)) return rows.get(model);
  const row = ROWS.find((candidate) => candidate.pattern.test(model));
  if (rows.size < 100) rows.set(model, row);
  return row;
}
