import type { Health } from "../../measure/health.ts";

/** The number that an advisory states. A percentage is a share of the window, as the client shows it to the user. */
export type Quote =
  | { readonly kind: "percent"; readonly percent: number }
  | { readonly kind: "calls"; readonly toolCalls: number };

/** Quotes a percentage only if it was measured and the user has not chosen to go by tool calls. A guessed size is never quoted. */
export function quoteHealth(health: Health): Quote {
  const percent = health.profile === "calls" ? undefined : measurePercent(health);
  if (percent === undefined) return { kind: "calls", toolCalls: health.windowCalls };
  return { kind: "percent", percent };
}

/** The share of the window in use, unrounded; `undefined` if it would be a guess. */
export function measurePercent({ confidence, usedTokens, windowTokens }: Health): number | undefined {
  if (confidence !== "exact" || usedTokens === undefined) return undefined;
  const percent = (usedTokens / windowTokens) * 100;
  return Number.isFinite(percent) && percent >= 0 ? percent : undefined;
}

/** How the quoted number is known. This line goes with every number. */
export function noteQuote(quote: Quote, health: Health): string {
  if (quote.kind === "calls")
    return "Tool count is a directional proxy. Check CLI status bar for actual context usage.";
  const source = `share of the window (${health.note})`;
  if (health.profile !== "measured" || health.usedTokens === undefined) return source;
  const share = Math.round((health.usedTokens / health.compactionPointTokens) * 100);
  return `${source}; ${share}% of the ${health.compactionPointTokens} tokens at which the agent compacts`;
}
