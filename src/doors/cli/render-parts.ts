import { renderCount } from "../../core/render-count.ts";
import type { Attribution } from "../../measure/attribution.ts";
import { labelPart, UNACCOUNTED } from "../person/labels.ts";
import { renderPercent, renderSafely, renderTable, renderTokens } from "./print/style.ts";

interface PartsOptions {
  /** Lines in the file that could not be read: what nobody can explain may have stood in them. */
  readonly damagedLines?: number;
  /** Parts below this share of the window are told together, where there are several. */
  readonly leastShare?: number;
  /** Of the terminal. */
  readonly columns?: number;
}

/** The parts of a window with their share, largest first; what nobody can explain stands in its own line. */
export function renderParts(
  { parts, unexplainedTokens, contextTokens }: Attribution,
  { damagedLines = 0, leastShare = 0, columns }: PartsOptions = {},
): string {
  const damaged = damagedLines > 0 ? ` (${renderCount(damagedLines, "damaged line")} in the file)` : "";
  const rows = Object.entries(parts)
    .filter(([, tokens]) => Math.round(tokens) !== 0)
    .sort(([, left], [, right]) => right - left);
  const small = rows.filter(([, tokens]) => tokens < leastShare * contextTokens);
  const told: readonly (readonly [string, number])[] =
    small.length < 2
      ? rows
      : [
          ...rows.slice(0, rows.length - small.length),
          [`${small.length} smaller parts (plimsoll inspect)`, small.reduce((sum, [, tokens]) => sum + tokens, 0)],
        ];
  return renderTable(
    [...told, [`${UNACCOUNTED}${damaged}`, unexplainedTokens] as const].map(([part, tokens]) => [
      `  ${renderSafely(labelPart(part))}`,
      renderTokens(tokens),
      renderPercent(contextTokens > 0 ? tokens / contextTokens : 0),
    ]),
    columns,
  );
}
