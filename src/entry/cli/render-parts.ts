import { renderCount } from "../../core/render-count.ts";
import type { Attribution } from "../../measure/attribution.ts";
import type { Health } from "../../measure/health.ts";
import { renderHull, renderShare } from "../../measure/render-load.ts";
import { labelPart, UNACCOUNTED } from "../person/labels.ts";
import type { Terminal } from "./command.ts";
import { paintLevel, renderPercent, renderSafely, renderTable, renderTokens } from "./print/style.ts";

/**
 * The parts of a window with their share, largest first; unaccounted tokens get a line of their own, and may be in the lines that could
 * not be read. Several parts below the least share of the window are shown together.
 */
export function renderParts(
  { parts, unexplainedTokens, contextTokens }: Attribution,
  options: { readonly damagedLines?: number; readonly leastShare?: number; readonly columns?: number } = {},
): string {
  const { damagedLines = 0, leastShare = 0, columns } = options;
  const damaged = damagedLines > 0 ? ` (${renderCount(damagedLines, "damaged line")} in the file)` : "";
  const rows = Object.entries(parts)
    .filter(([, tokens]) => Math.round(tokens) !== 0)
    .sort(([, left], [, right]) => right - left);
  const small = rows.filter(([, tokens]) => tokens < leastShare * contextTokens);
  const rest = small.reduce((sum, [, tokens]) => sum + tokens, 0);
  const together = [`${small.length} smaller parts (plimsoll inspect)`, rest] as const;
  const shown = small.length < 2 ? rows : [...rows.slice(0, rows.length - small.length), together];
  return renderTable(
    [...shown, [`${UNACCOUNTED}${damaged}`, unexplainedTokens] as const].map(([part, tokens]) => [
      `  ${renderSafely(labelPart(part))}`,
      renderTokens(tokens),
      renderPercent(contextTokens > 0 ? tokens / contextTokens : 0),
    ]),
    columns,
  );
}

const WIDEST = 48;

/** The load line: a bar filled up to the load with a mark where the client compacts, and the same in words. */
export function renderLoadLine(health: Health, terminal: Terminal): string {
  const { level, usedTokens, tokensToLine = 0, requestsToLine } = health;
  const words = `${paintLevel(terminal, level)} ${renderShare(health)}`;
  if (usedTokens === undefined) return words;
  const hull = renderHull(health, Math.max(16, Math.min(WIDEST, terminal.columns - 4)));
  const requests = requestsToLine === undefined ? "" : ` · ≈ ${renderCount(requestsToLine, "request")}`;
  return `${paintLevel(terminal, level, hull)}\n${words} · ${renderTokens(tokensToLine)} to compaction${requests}`;
}
