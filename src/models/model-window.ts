/** What is known of a model's window. */
export interface ModelWindow {
  readonly windowTokens: number;
  readonly maxOutputTokens: number;
  /** `table`: by the model's name. `assumed`: a name nobody here knows. */
  readonly standing: "table" | "assumed";
}

const ROWS: readonly (readonly [RegExp, number, number])[] = [
  [/\[1m\]/, 1_000_000, 64_000],
  [/(?:opus|sonnet|haiku|fable|mythos)-(?:[5-9]|\d\d)(?:\D|$)|opus-4-[789]/, 1_000_000, 128_000],
  [/opus-4-6|sonnet-4-6/, 200_000, 64_000],
  [/(?:opus|sonnet|haiku)-4|3-7-sonnet/, 200_000, 64_000],
  [/claude-3|3-5-/, 200_000, 8_192],
];

/** Only what cannot have fitted proves a larger window: requests of 180,437 tokens went through one of 200,000. */
const PROOF_OF_LARGE_WINDOW = 200_000;

/** The window by the model's name, corrected by the largest request that is known to have gone through. */
export function decideModelWindow(model: string, largestContextTokens = 0): ModelWindow {
  const row = ROWS.find(([pattern]) => pattern.test(model));
  const windowTokens = row?.[1] ?? 200_000;
  return {
    windowTokens: largestContextTokens > PROOF_OF_LARGE_WINDOW ? Math.max(windowTokens, 1_000_000) : windowTokens,
    maxOutputTokens: row?.[2] ?? 32_000,
    standing: row ? "table" : "assumed",
  };
}
