import { renderResultText } from "../core/message.ts";
import { estimateTextTokens, tokenizerOf } from "../core/tokens.ts";
import type { Recording } from "./recording.ts";

/** What could leave the current window without being lost. */
export interface Foldable {
  readonly results: number;
  /** What folding them would take out of every request from here on, previews already counted against it. */
  readonly tokens: number;
}

const FOLD_ABOVE_CHARACTERS = 4000;
const FOLD_ABOVE_LINES = 120;
const PREVIEW_LINES = 10;
/** Results this recent are still being worked with. */
const RECENT_STEPS = 4;

/** Tool results of the current window past the folding thresholds: no errors, none of the last steps. */
export function findFoldable(recording: Recording): Foldable {
  const window = recording.windows.length - 1;
  const steps = recording.steps.filter((step) => step.window === window).slice(0, -RECENT_STEPS);
  let results = 0;
  let tokens = 0;
  for (const step of steps) {
    for (const { block } of step.arrivals) {
      if (block.kind !== "toolResult" || block.isError) continue;
      const text = renderResultText(block);
      const lines = text.split("\n");
      if (text.length <= FOLD_ABOVE_CHARACTERS && lines.length <= FOLD_ABOVE_LINES) continue;
      const tokenizer = tokenizerOf(step.model);
      const preview = lines.slice(0, PREVIEW_LINES).join("\n");
      results++;
      tokens += Math.max(0, estimateTextTokens(text, tokenizer) - estimateTextTokens(preview, tokenizer));
    }
  }
  return { results, tokens: Math.round(tokens) };
}
