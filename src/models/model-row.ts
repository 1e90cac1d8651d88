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
  /** No page that can be named lists all of it: the nearest relative's price. */
  readonly isAssumed?: true;
  /** What was listed before, the newest first: each until the day, in UTC, on which the next one began. */
  readonly before?: readonly FormerPrice[];
  /** Where it was read; left out for what Anthropic's own pages list, on the day that the table names. */
  readonly source?: PriceSource;
}

/** A price that was listed until a day. */
export interface FormerPrice {
  /** The first day on which it was no longer listed, as YYYY-MM-DD. */
  readonly until: string;
  readonly price: Omit<ListPrice, "before">;
}

export interface PriceSource {
  /** A public page, without the `https://`. */
  readonly page: string;
  readonly readOn: string;
  /** Who copied it from that page, where the page itself was not seen. */
  readonly by?: string;
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
