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

/** Windows that clients give their models. */
const KNOWN_WINDOWS: readonly number[] = [200_000, 272_000, 400_000, 1_000_000];

/** What is recorded of a window, beside the model's name. */
export interface WindowEvidence {
  /** The largest request that is known to have gone through. */
  readonly largestContextTokens?: number;
  /** At how many tokens the client has compacted by itself: the best evidence there is. */
  readonly autoPreTokens?: readonly number[];
}

/** The window by the model's name, corrected by what is recorded: a request that cannot have fitted, a compaction that came before the end. */
export function decideModelWindow(
  id: string,
  { largestContextTokens = 0, autoPreTokens = [] }: WindowEvidence = {},
  { windowTokens, maxOutputTokens, isKnown }: Model = findModel(id),
): ModelWindow {
  const standing = isKnown ? "table" : "assumed";
  const isLarger = largestContextTokens > Math.max(PROOF_OF_LARGE_WINDOW, windowTokens);
  if (!isLarger) return { windowTokens, maxOutputTokens, standing };
  const compactedAt = Math.max(0, ...autoPreTokens.filter((tokens) => tokens > windowTokens));
  const least = compactedAt > 0 ? Math.max(compactedAt, largestContextTokens) : Number.POSITIVE_INFINITY;
  return { windowTokens: findWindow(least), maxOutputTokens, standing };
}

/** The smallest that clients give which holds so many tokens. */
export function findWindow(tokens: number): number {
  return KNOWN_WINDOWS.find((known) => known >= tokens) ?? 1_000_000;
}
