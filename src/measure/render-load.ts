import type { Health } from "./health.ts";

/** `12.3k`: three digits are enough to decide by. */
export function renderTokens(tokens: number): string {
  const size = Math.abs(tokens);
  if (size < 1000) return String(Math.round(tokens));
  if (size < 99_950) return `${(tokens / 1000).toFixed(1)}k`;
  if (size < 999_500) return `${Math.round(tokens / 1000)}k`;
  return size < 999_500_000 ? `${(tokens / 1e6).toFixed(2)}M` : `${(tokens / 1e9).toFixed(2)}G`;
}

/** `41k`, `9.6k`, `1.2M`: two digits are enough. */
export function renderFewDigits(tokens: number): string {
  if (tokens < 1000) return String(Math.round(tokens));
  if (tokens < 9950) return `${(tokens / 1000).toFixed(1)}k`;
  if (tokens < 999_500) return `${Math.round(tokens / 1000)}k`;
  return `${(tokens / 1e6).toFixed(1)}M`;
}

/** The gauge filled up to the load, with a mark where the client compacts; empty if no size is known. */
export function renderHull({ usedTokens, windowTokens, compactionPointTokens }: Health, width: number): string {
  if (usedTokens === undefined) return "";
  const used = Math.min(width, Math.round((usedTokens / windowTokens) * width));
  const mark = Math.min(width - 1, Math.round((compactionPointTokens / windowTokens) * width));
  return Array.from({ length: width }, (_, index) => (index === mark ? "┃" : index < used ? "█" : "░")).join("");
}

export function renderShare(health: Health): string {
  if (health.usedTokens === undefined) return `${health.toolCalls} tool calls, size not known yet`;
  const share = Math.round((health.usedTokens / health.compactionPointTokens) * 100);
  const about = health.confidence === "exact" ? "" : "about ";
  return [
    `${about}${renderTokens(health.usedTokens)} of ${renderTokens(health.windowTokens)}`,
    ` · ${share} % of the load line at ${renderTokens(health.compactionPointTokens)}`,
  ].join("");
}
