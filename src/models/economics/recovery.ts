import type { TokenWeights } from "../../core/layer.ts";

/** What leaves the view, by how likely it is asked for again. */
export type RemovedContent = "duplicate" | "result" | "exchanges";

/** How likely removed content is fetched again if the caller knows nothing better. Conservative assumptions: `account.ts` counts real fetches. */
export const RECOVERY_SHARES: Readonly<Record<RemovedContent, number>> = {
  duplicate: 0,
  result: 0.1,
  exchanges: 0.2,
};

/** After a collapse one request in eight fetches something back: replay of the public sessions (docs/research/replay.md). */
export const FETCHES_PER_REQUEST = 0.12;

/** One recovery: one more request with a call of this many tokens, and a page of at most the size below. */
export const RECOVERY_OUTPUT_TOKENS = 150;
export const RECOVERY_PAGE_TOKENS = 2000;

/** Units that one recovery costs with a view of `contextTokens`. */
export function countRecoveryUnits(contextTokens: number, pageTokens: number, rates: TokenWeights): number {
  const page = Math.min(RECOVERY_PAGE_TOKENS, Math.max(0, pageTokens));
  return contextTokens * rates.read + RECOVERY_OUTPUT_TOKENS * rates.output + page * rates.write;
}
