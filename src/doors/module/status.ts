import type { Health } from "../../measure/health.ts";
import { classifyMeasured } from "../../measure/level.ts";
import type { Engine } from "./engine.ts";
import type { Live } from "./live.ts";

const CELLS = 10;
const PARTS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];

/** How heavy the window is: measured, and between a compaction that we answered and the next request by what we left in it. */
export function readHealth({ watch, afterTokens }: Live): Health {
  const health = watch.health();
  if (health.source === "usage" || afterTokens === undefined) return health;
  const { profile, compactionPointTokens } = health;
  return {
    ...health,
    usedTokens: afterTokens,
    confidence: "estimated",
    level: profile === "measured" ? classifyMeasured(afterTokens, compactionPointTokens) : health.level,
    note: "compacted, and no request since: weighed by what was left",
  };
}

export function showStatus($: Engine, live: Live): void {
  const text = renderStatus(readHealth(live));
  if (text === live.shownStatus) return;
  live.shownStatus = text;
  $.ui.status(text);
}

/** Says once that nothing is folded or compacted because nothing can be kept, and once that it can again. */
export function showIdle($: Engine, live: Live, isIdle: boolean): void {
  if (isIdle === live.isIdleShown) return;
  live.isIdleShown = isIdle;
  $.ui.log(
    isIdle
      ? `idle: nothing can be written in ${live.root}/.plimsoll or ${live.folder}, so nothing is folded or compacted. Make room or allow writing there`
      : "originals can be written again: results are folded and compactions answered as before",
  );
}

/** The load line in the client's status area: how full up to where it compacts, in one glance and in numbers. */
export function renderStatus({
  usedTokens,
  compactionPointTokens,
  level,
  confidence,
  toolCalls,
}: Pick<Health, "usedTokens" | "compactionPointTokens" | "level" | "confidence" | "toolCalls">): string {
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
