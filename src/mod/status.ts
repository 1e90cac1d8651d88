import type { Health } from "../measure/health.ts";

const CELLS = 10;
const PARTS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];

/** The load line in the client's status area: how full up to where it compacts, in one glance and in numbers. */
export function renderStatus({ usedTokens, compactionPointTokens, level, confidence, toolCalls }: Health): string {
  if (usedTokens === undefined) return `⊖ ${toolCalls} calls, load not known yet`;
  const share = Math.min(1, usedTokens / compactionPointTokens);
  const about = confidence === "exact" ? "" : "≈";
  return `⊖ ${renderBar(share)} ${about}${Math.round(share * 100)} % of ${thousands(compactionPointTokens)}${level === "GREEN" ? "" : ` ${level}`}`;
}

function renderBar(share: number): string {
  const eighths = Math.round(share * CELLS * 8);
  const full = Math.floor(eighths / 8);
  return `${"█".repeat(full)}${PARTS[eighths % 8] ?? ""}`.padEnd(CELLS, "░");
}

function thousands(tokens: number): string {
  return tokens >= 1e6 ? `${(tokens / 1e6).toFixed(1)}M` : `${Math.round(tokens / 1000)}k`;
}
