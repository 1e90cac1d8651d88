import type { EditVerdict } from "../../core/edit-verdict.ts";
import type { Usage } from "../../core/usage.ts";
import { priceEdits } from "../../models/economics/price-edit.ts";
import { FETCHES_PER_REQUEST } from "../../models/economics/recovery.ts";

export interface CompactionTerms {
  readonly model: string;
  readonly beforeTokens: number;
  readonly afterTokens: number;
  /** System prompt and tools: they stay in the cache. */
  readonly baseTokens: number;
  /** Requests that follow in the new window, as expected or, afterwards, as they came. */
  readonly requests: number;
  /** How much of what is written is for the long life time; none by default. */
  readonly share1h?: number;
  readonly speed?: Usage["speed"] | undefined;
  /** The cache holds nothing any more: everything is written again whatever is decided. */
  readonly isCold?: boolean;
  /** How many of the requests fetch something back, as a share; of what is over it is known, and billed. */
  readonly fetchesPerRequest?: number;
}

/**
 * A compaction as one edit behind the base: the new beginning is written once, and every later request carries less. The
 * request that a client makes for a model's summary comes on top and is not in it.
 */
export function priceCompaction(terms: CompactionTerms): EditVerdict {
  const { model, beforeTokens, afterTokens, speed, share1h = 0, isCold = false } = terms;
  const { fetchesPerRequest = FETCHES_PER_REQUEST } = terms;
  const baseTokens = Math.min(terms.baseTokens, afterTokens);
  const expectedRequests = Math.max(1, terms.requests);
  const price = priceEdits(
    [
      {
        positionTokens: baseTokens,
        savedTokens: beforeTokens - afterTokens,
        recoveryShare: expectedRequests * fetchesPerRequest,
      },
    ],
    {
      model,
      speed,
      contextTokens: beforeTokens,
      recoveryContextTokens: afterTokens,
      prefix: { warmTokens: isCold ? 0 : beforeTokens, baseTokens, reachFromTokens: 0, minimumTokens: 0 },
      share1h,
      expectedRequests,
    },
  );
  if (price.savedTokens === 0) return { isMade: false, why: "savesNothing", expectedRequests, price };
  // Its sentence tells the break-even beside the requests that came, so it is honest of one that has not paid yet.
  return { isMade: true, why: "pays", expectedRequests, price };
}
