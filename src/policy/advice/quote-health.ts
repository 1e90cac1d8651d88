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

/** The wording is a contract: agents and scripts match on it, so only the number changes. */
export function renderYellow(quote: Quote): string {
  return `${renderLead(quote)} Load only essential files. Avoid reading full files when Grep will do.`;
}

export function renderOrange(quote: Quote): string {
  return `${renderLead(quote)} Recommend /compact at next phase boundary (after current module completes).`;
}

/** Says that the state is saved, so render it only after the save was confirmed. */
export function renderCritical(quote: Quote): string {
  return `Context CRITICAL (${renderLoad(quote)}). State saved to .plimsoll/. Run /compact now.`;
}

/** Used if saving failed: claiming a save that did not happen would cost the user their work. */
export function renderCriticalUnsaved(quote: Quote, why: string): string {
  return `Context CRITICAL (${renderLoad(quote)}). State NOT saved: ${why}. Note what matters before you run /compact.`;
}

export function renderWarning(percentUsed: number): string {
  return `Context at ~${Math.round(percentUsed)}%. Consider /compact at next phase boundary`;
}

function renderLead(quote: Quote): string {
  return quote.kind === "calls" ? `${quote.toolCalls} tool calls.` : `Context at ${Math.round(quote.percent)}%.`;
}

function renderLoad(quote: Quote): string {
  return quote.kind === "calls" ? `${quote.toolCalls} tool calls, likely near limit` : `${Math.round(quote.percent)}%`;
}
