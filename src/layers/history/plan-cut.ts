import type { Exchange } from "./exchanges.ts";

export interface CutOptions {
  /** Exchanges at the end that stay. */
  readonly keepExchanges: number;
  /** Tokens at the end that stay, whatever exchanges they belong to. */
  readonly keepTokens: number;
}

/** How many exchanges from the start may go: those before the last `keepTokens`, and never the last `keepExchanges`. */
export function planCut(exchanges: readonly Exchange[], weights: readonly number[], options: CutOptions): number {
  let cut = exchanges.length;
  let kept = 0;
  while (cut > 0 && (exchanges.length - cut < options.keepExchanges || kept < options.keepTokens)) {
    cut--;
    const { first, last } = exchanges[cut] ?? { first: 0, last: -1 };
    for (let index = first; index <= last; index++) kept += weights[index] ?? 0;
  }
  return cut;
}
