import type { View } from "../../core/layer.ts";
import { splitExchanges } from "../history/exchanges.ts";
import { hasOpaque } from "../history/has-opaque.ts";
import { type CutOptions, planCut } from "../history/plan-cut.ts";

export interface Span {
  /** Indices of messages, both included. */
  readonly first: number;
  readonly last: number;
  readonly tokens: number;
}

/** The heaviest stretch of old exchanges that may leave as a whole: blocks nobody understands stay, and part it. */
export function chooseSpan(view: View, options: CutOptions): Span | undefined {
  const { messages } = view;
  const weights = messages.map((message) => view.countTokens(message));
  const exchanges = splitExchanges(messages);
  const cut = planCut(exchanges, weights, options);
  let best: Span | undefined;
  let current: Span | undefined;
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
