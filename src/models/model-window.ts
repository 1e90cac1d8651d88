import { findModel, type Model } from "./find-model.ts";

/** What is known of a model's window. */
export interface ModelWindow {
  readonly windowTokens: number;
  readonly maxOutputTokens: number;
  /** `table`: by the model's name. `assumed`: a name nobody here knows. */
  readonly standing: "table" | "assumed";
}

/** Only what cannot have fitted proves a larger window: requests of 180,437 tokens went through one of 200,000. */
const PROOF_OF_LARGE_WINDOW = 200_000;

/** The window by the model's name, corrected by the largest request that is known to have gone through. */
export function decideModelWindow(
  id: string,
  largestContextTokens = 0,
  { windowTokens, maxOutputTokens, isKnown }: Model = findModel(id),
): ModelWindow {
  return {
    windowTokens: largestContextTokens > Math.max(PROOF_OF_LARGE_WINDOW, windowTokens) ? 1_000_000 : windowTokens,
    maxOutputTokens,
    standing: isKnown ? "table" : "assumed",
  };
}
