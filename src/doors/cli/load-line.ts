import { renderCount } from "../../core/render-count.ts";
import type { Health } from "../../measure/health.ts";
import { renderHull, renderShare } from "../../measure/render-load.ts";
import type { Terminal } from "./command.ts";
import { paintLevel, renderTokens } from "./print/style.ts";

const WIDEST = 48;

/** The load line itself: the hull filled up to the load, the mark where the client compacts, and the same in words. */
export function renderLoadLine(health: Health, terminal: Terminal): string {
  const words = renderWords(health);
  if (health.usedTokens === undefined) return `${paintLevel(terminal, health.level)} ${words}`;
  const hull = renderHull(health, Math.max(16, Math.min(WIDEST, terminal.columns - 4)));
  return `${paintLevel(terminal, health.level, hull)}\n${paintLevel(terminal, health.level)} ${words}`;
}

function renderWords(health: Health): string {
  if (health.usedTokens === undefined) return renderShare(health);
  const requests = health.requestsToLine === undefined ? "" : ` · ≈ ${renderCount(health.requestsToLine, "request")}`;
  return `${renderShare(health)} · ${renderTokens(health.tokensToLine ?? 0)} to compaction${requests}`;
}
