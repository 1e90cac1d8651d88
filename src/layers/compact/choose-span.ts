import type { View } from "../../core/layer.ts";
import { type Exchange, splitExchanges } from "../history/exchanges.ts";
import { hasOpaque } from "../history/has-opaque.ts";

export interface MessageSpan {
  /** Indices of messages, both included. */
  readonly first: number;
  readonly last: number;
  readonly tokens: number;
}

/** The heaviest stretch of old exchanges that may leave as a whole: blocks nobody understands stay, and part it. */
export function chooseSpan(view: View, options: CutOptions): MessageSpan | undefined {
  const { messages } = view;
  const weights = messages.map((message) => view.countTokens(message));
  const exchanges = splitExchanges(messages);
  const cut = planCut(exchanges, weights, options);
  let best: MessageSpan | undefined;
  let current: MessageSpan | undefined;
  for (const { first, last } of exchanges.slice(0, cut)) {
    if (messages.slice(first, last + 1).some(hasOpaque)) {
      current = undefined;
      continue;
    }
    const tokens = weights.slice(first, last + 1).reduce((sum, weight) => sum + weight, current?.tokens ?? 0);
    current = { first: current?.first ?? first, last, tokens };
    if (!best || tokens > best.tokens) best = current;
  }
  return best;
}

export interface CutOptions {
  /** Exchanges at the end that stay. */
  readonly keepExchanges: number;
  /** Tokens at the end that stay, whatever exchanges they belong to. */
  readonly keepTokens: number;
}

/** How many exchanges from the start may go: those before the last `keepTokens`, and never the last `keepExchanges`. */
function planCut(exchanges: readonly Exchange[], weights: readonly number[], options: CutOptions): number {
  let cut = exchanges.length;
  let kept = 0;
  while (cut > 0 && (exchanges.length - cut < options.keepExchanges || kept < options.keepTokens)) {
    cut--;
    const { first, last } = exchanges[cut] ?? { first: 0, last: -1 };
    for (let index = first; index <= last; index++) kept += weights[index] ?? 0;
  }
  return cut;
}
