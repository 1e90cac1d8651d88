import type { ModelWindow } from "../models/find-model.ts";
import { quantile } from "./quantile.ts";

/** Where the client compacts by itself: the load line. */
export interface CompactionPoint {
  readonly tokens: number;
  /** `learned` from recorded automatic compactions, the person's `setting`, or the client's `formula`. */
  readonly source: "learned" | "setting" | "formula";
}

export interface CompactionSettings {
  /** `autoCompactWindow` or `CLAUDE_CODE_AUTO_COMPACT_WINDOW`; the client accepts no less than 100,000. */
  readonly windowTokens?: number;
  /** `CLAUDE_AUTOCOMPACT_PCT_OVERRIDE`; the client uses it only together with a configured window. */
  readonly percent?: number;
  /** Where another client compacts in a window of this size, whatever the model's output limit. */
  readonly locate?: (windowTokens: number) => number;
  /** Where Plimsoll itself triggers a compaction at the person's request; no effect unless it comes before the client's point. */
  readonly lineTokens?: number;
}

const RESERVED_OUTPUT_TOKENS = 20_000;
const SAFETY_TOKENS = 13_000;
const LEAST_CONFIGURED_WINDOW = 100_000;
/** Past compactions count only if they are in the upper part of this window; a 155k compaction says nothing about a 1M window. */
const PLAUSIBLE_SHARE = 0.5;

export function decideCompactionPoint(
  window: ModelWindow,
  settings: CompactionSettings = {},
  autoPreTokens: readonly number[] = [],
): CompactionPoint {
  const point = decideOfClient(window, settings, autoPreTokens);
  const { lineTokens } = settings;
  return lineTokens !== undefined && lineTokens < point.tokens ? { tokens: lineTokens, source: "setting" } : point;
}

function decideOfClient(
  window: ModelWindow,
  settings: CompactionSettings,
  autoPreTokens: readonly number[],
): CompactionPoint {
  const configured =
    settings.windowTokens === undefined ? undefined : Math.max(settings.windowTokens, LEAST_CONFIGURED_WINDOW);
  const windowTokens = Math.min(window.windowTokens, configured ?? window.windowTokens);
  const effective = windowTokens - Math.min(window.maxOutputTokens, RESERVED_OUTPUT_TOKENS);
  const formula = settings.locate?.(windowTokens) ?? effective - SAFETY_TOKENS;
  if (configured !== undefined) {
    const byPercent = settings.percent === undefined ? formula : Math.floor((effective * settings.percent) / 100);
    return { tokens: Math.min(formula, byPercent), source: "setting" };
  }
  const plausible = autoPreTokens.filter((tokens) => tokens > windowTokens * PLAUSIBLE_SHARE && tokens <= windowTokens);
  const learned = quantile(plausible, 0.5);
  return learned === undefined ? { tokens: formula, source: "formula" } : { tokens: learned, source: "learned" };
}
