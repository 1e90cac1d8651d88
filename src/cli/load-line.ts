import type { Health } from "../measure/health.ts";
import type { Terminal } from "./command.ts";
import { paintLevel, renderTokens } from "./style.ts";

const WIDEST = 48;

/** The load line itself: the hull filled up to the load, the mark where the client compacts, and the same in words. */
export function renderLoadLine(health: Health, terminal: Terminal): string {
  const words = renderWords(health);
  if (health.usedTokens === undefined) return `${paintLevel(terminal, health.level)} ${words}`;
  const width = Math.max(16, Math.min(WIDEST, terminal.columns - 4));
  const used = Math.min(width, Math.round((health.usedTokens / health.windowTokens) * width));
  const mark = Math.min(width - 1, Math.round((health.compactionPointTokens / health.windowTokens) * width));
  const cells = Array.from({ length: width }, (_, index) => (index === mark ? "┃" : index < used ? "█" : "░")).join("");
  return `${paintLevel(terminal, health.level, cells)}\n${paintLevel(terminal, health.level)} ${words}`;
}

function renderWords(health: Health): string {
  if (health.usedTokens === undefined) return `${health.toolCalls} tool calls, size not known yet`;
  const share = Math.round((health.usedTokens / health.compactionPointTokens) * 100);
  const about = health.confidence === "exact" ? "" : "about ";
  const turns = health.turnsToLine === undefined ? "" : ` · ≈ ${health.turnsToLine} turns`;
  return [
    `${about}${renderTokens(health.usedTokens)} of ${renderTokens(health.windowTokens)}`,
    ` · ${share} % of the load line at ${renderTokens(health.compactionPointTokens)}`,
    ` · ${renderTokens(health.tokensToLine ?? 0)} to compaction${turns}`,
  ].join("");
}
