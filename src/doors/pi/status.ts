import { classifyMeasured } from "../../measure/level.ts";
import { renderStatus } from "../module/status.ts";
import type { PiContext } from "./extension-api.ts";

/** Pi compacts so far before the end of the window, unless its settings say otherwise. */
const RESERVED_TOKENS = 16_384;
const DEFAULT_WINDOW_TOKENS = 200_000;

/** Where pi would compact by itself. */
export function compactionPointOf(context: PiContext): number {
  const window = context.getContextUsage()?.contextWindow ?? DEFAULT_WINDOW_TOKENS;
  return Math.max(window - RESERVED_TOKENS, Math.round(window / 2));
}

/** The load line, as pi's footer shows it. */
export function renderLoad(context: PiContext): string {
  const compactionPointTokens = compactionPointOf(context);
  const usedTokens = context.getContextUsage()?.tokens ?? undefined;
  const level = usedTokens === undefined ? "GREEN" : classifyMeasured(usedTokens, compactionPointTokens);
  return usedTokens === undefined
    ? "⊖ load not known yet"
    : renderStatus({ usedTokens, compactionPointTokens, level, confidence: "exact", toolCalls: 0 });
}

export function showStatus(context: PiContext): void {
  context.ui.setStatus("plimsoll", renderLoad(context));
}
