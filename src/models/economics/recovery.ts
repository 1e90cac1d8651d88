/** What leaves the view, as far as it tells how likely somebody asks for it again. */
export type RemovedContent = "duplicate" | "superseded" | "error" | "result" | "exchanges";

/**
 * How likely removed content is fetched again, where the caller knows nothing better. Assumed, on the careful side: `account.ts`
 * counts what really was fetched. A duplicate is still in view.
 */
export const RECOVERY_SHARES: Readonly<Record<RemovedContent, number>> = {
  duplicate: 0,
  superseded: 0.02,
  error: 0.05,
  result: 0.1,
  exchanges: 0.2,
};

/** Of a conversation that was collapsed one request in eight fetches something back: replay of the public sessions (docs/research/replay.md). */
export const FETCHES_PER_REQUEST = 0.12;

/** One recovery: a request more, a call of so many tokens, a page of at most so many. */
export const RECOVERY_OUTPUT_TOKENS = 150;
export const RECOVERY_PAGE_TOKENS = 2000;

export interface RecoveryRates {
  readonly read: number;
  readonly write: number;
  readonly output: number;
}

/** Units that one recovery costs while the view weighs `contextTokens`. */
export function countRecoveryUnits(contextTokens: number, pageTokens: number, rates: RecoveryRates): number {
  const page = Math.min(RECOVERY_PAGE_TOKENS, Math.max(0, pageTokens));
  return contextTokens * rates.read + RECOVERY_OUTPUT_TOKENS * rates.output + page * rates.write;
}
