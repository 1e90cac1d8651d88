import { renderResultText } from "../core/message.ts";
import { DEFAULT_BUDGET, exceeds } from "../fold/thresholds.ts";
import type { Recording } from "../measure/recording.ts";
import { estimateTextTokens, tokenizerOf } from "../models/tokens.ts";

/** What could leave the current window and still be fetched back. */
export interface Foldable {
  readonly results: number;
  /** What folding would remove from every later request, net of the previews. */
  readonly tokens: number;
}

/** Results this recent are still in use. */
const RECENT_STEPS = 4;

/** Finds tool results in the current window above the folding thresholds, without errors and without the last steps. */
export function findFoldable(recording: Recording): Foldable {
  const window = recording.windows.length - 1;
  const steps = recording.steps.filter((step) => step.window === window).slice(0, -RECENT_STEPS);
  let results = 0;
  let tokens = 0;
  for (const step of steps) {
    for (const { block } of step.arrivals) {
      if (block.kind !== "toolResult" || block.isError) continue;
      const text = renderResultText(block);
      if (text.length <= DEFAULT_BUDGET || !exceeds(text)) continue;
      const tokenizer = tokenizerOf(step.model);
      const preview = text.slice(0, DEFAULT_BUDGET);
      results++;
      tokens += Math.max(0, estimateTextTokens(text, tokenizer) - estimateTextTokens(preview, tokenizer));
    }
  }
  return { results, tokens: Math.round(tokens) };
}
