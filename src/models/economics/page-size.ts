import { RECOVERY_OUTPUT_TOKENS, type RecoveryRates } from "./recovery.ts";

/** How long a page that was asked for stays in view: what the replay takes for a recall, too (`docs/benchmark.md`). */
const CARRIED_REQUESTS = 20;

/** Who asks for a text needs all of it so often; otherwise it ends being needed anywhere, here as likely as there. Assumed. */
const WHOLE_SHARE = 0.5;

/**
 * The longest text that is cheaper as one page than as two, in tokens.
 *
 * A request more costs reading the whole context and writing a call: R = context x read + 150 x output. A token of a page
 * costs being written once and read with the requests that follow: c = write + 20 x read. One page of T tokens costs
 * R + T c. Of two halves the second is asked for by half of those who need only a part and by all who need the whole:
 * (1 + s + (1 - s) / 2) (R + T c / 2). Both cost the same at T = 2 (1 + s) / (1 - s) x R / c.
 */
export function countPageTokens(contextTokens: number, rates: RecoveryRates): number {
  const requestUnits = Math.max(0, contextTokens) * rates.read + RECOVERY_OUTPUT_TOKENS * rates.output;
  const carriedUnits = rates.write + CARRIED_REQUESTS * rates.read;
  return ((2 * (1 + WHOLE_SHARE)) / (1 - WHOLE_SHARE)) * (requestUnits / carriedUnits);
}
