/** Two generations of tokenizers are in use; the newer one makes about 1.4 times as many tokens of the same text. */
export type Tokenizer = "classic" | "dense";

/** Dollars per million tokens, as the vendor lists them. Omitted prices follow from `input` by the usual shares. */
export interface ListPrice {
  readonly input: number;
  readonly output: number;
  /** Default: a tenth of `input`. */
  readonly cacheRead?: number;
  /** Default: 1.25 times `input`. */
  readonly cacheWrite5m?: number;
  /** Default: twice `input`. */
  readonly cacheWrite1h?: number;
  /** Fast mode multiplies every price by this; absent if the vendor lists no fast mode. */
  readonly fast?: number;
  /** A request with more input than this, cache included, pays these factors for all its tokens. */
  readonly long?: { readonly aboveTokens: number; readonly inputTimes: number; readonly outputTimes: number };
  /** No page we can name lists all of it: this is the nearest relative's price. */
  readonly isAssumed?: true;
  /** Earlier prices, newest first, each until the day (UTC) on which the next one began. */
  readonly before?: readonly {
    /** The first day on which it was no longer listed, as YYYY-MM-DD. */
    readonly until: string;
    readonly price: Omit<ListPrice, "before">;
  }[];
  /** Where it was read; absent for prices from Anthropic's own pages, on the day that the table names. */
  readonly source?: PriceSource;
}

export interface PriceSource {
  /** A public page, without the `https://`. */
  readonly page: string;
  readonly readOn: string;
  /** Who copied it from that page, if we did not see the page itself. */
  readonly by?: string;
}

export interface ModelRow {
  /** Matches anywhere in the id, so that a provider's prefix, a date or `[1m]` after it do not matter. */
  readonly id: RegExp;
  readonly tokenizer: Tokenizer;
  /** What the client uses by default; `[1m]` after the id asks for the larger one. */
  readonly windowTokens: number;
  readonly maxOutputTokens: number;
  /** A shorter prefix is silently not cached. */
  readonly minCacheTokens: number;
  /** How long the two kinds of cache entries live without being used; five minutes and an hour by default. */
  readonly cacheLifeMs?: { readonly short: number; readonly long: number };
  /** Everything sent is cached for the short lifetime, without a breakpoint and without being reported as written. */
  readonly cachesUnmarked?: true;
  /** Whether a thinking block is refused or dropped when anything before it has changed. */
  readonly bindsThinking: boolean;
  /** Absent if unknown: then no dollars are shown rather than a guess. */
  readonly price?: ListPrice;
}
