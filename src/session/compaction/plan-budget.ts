import { MIN_RECORD_TOKENS, RECORD_TOKENS } from "./record.ts";

const TAIL_SHARE = 0.1;
const LEAST_TAIL_TOKENS = 6000;
const MOST_TAIL_TOKENS = 16_000;
const RECORD_SHARE = 0.08;
const LEAST_RECORD_TOKENS = 3000;

/** What a compaction of so large a window would leave of its history, before it is known exactly. */
export function planBudget(contextTokens: number): { readonly tailTokens: number; readonly recordTokens: number } {
  return {
    tailTokens: clamp(contextTokens * TAIL_SHARE, LEAST_TAIL_TOKENS, MOST_TAIL_TOKENS),
    recordTokens: Math.max(MIN_RECORD_TOKENS, clamp(contextTokens * RECORD_SHARE, LEAST_RECORD_TOKENS, RECORD_TOKENS)),
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.round(Math.max(least, Math.min(most, value)));
}
