import type { EditVerdict } from "../../core/edit-verdict.ts";
import { priceEdits } from "../../models/economics/price-edit.ts";

export interface CompactionTerms {
  readonly model: string;
  readonly beforeTokens: number;
  readonly afterTokens: number;
  /** System prompt and tools: they stay in the cache. */
  readonly baseTokens: number;
  /** Requests that follow in the new window, as expected or, afterwards, as they came. */
  readonly requests: number;
}

/**
 * A compaction as one edit behind the base: the new beginning is written once, and every later request carries less. The
 * request that a client makes for a model's summary comes on top and is not in it.
 */
export function priceCompaction(terms: CompactionTerms): EditVerdict {
  const { model, beforeTokens } = terms;
  const baseTokens = Math.min(terms.baseTokens, terms.afterTokens);
  const expectedRequests = Math.max(1, terms.requests);
  const price = priceEdits(
    [{ positionTokens: baseTokens, savedTokens: beforeTokens - terms.afterTokens, recoveryShare: 0 }],
    {
      model,
      contextTokens: beforeTokens,
      prefix: { warmTokens: beforeTokens, baseTokens, reachFromTokens: 0, minimumTokens: 0 },
      share1h: 0,
      expectedRequests,
    },
  );
  if (price.savedTokens === 0) return { isMade: false, why: "savesNothing", expectedRequests, price };
  // Its sentence tells the break-even beside the requests that came, so it is honest of one that has not paid yet.
  return { isMade: true, why: "pays", expectedRequests, price };
}
