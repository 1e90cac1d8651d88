import type { Quote } from "./quote-health.ts";

/** The wording is a contract: agents and scripts match on it, so only the number changes. */
export function renderYellow(quote: Quote): string {
  return `${renderLead(quote)} Load only essential files. Avoid reading full files when Grep will do.`;
}

export function renderOrange(quote: Quote): string {
  return `${renderLead(quote)} Recommend /compact at next phase boundary (after current module completes).`;
}

/** Says that the state is saved: render it only after the save was confirmed. */
export function renderCritical(quote: Quote): string {
  return `Context CRITICAL (${renderLoad(quote)}). State saved to .plimsoll/. Run /compact now.`;
}

/** What is said instead when saving failed: to claim a save that did not happen would cost the person their work. */
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
