import type { EditVerdict } from "../../core/edit-verdict.ts";
import type { Usage } from "../../core/usage.ts";
import { priceEdits } from "../../models/economics/price-edit.ts";
import { FETCHES_PER_REQUEST } from "../../models/economics/recovery.ts";

export interface CompactionTerms {
  readonly model: string;
  readonly beforeTokens: number;
  readonly afterTokens: number;
  /** System prompt and tools, which stay in the cache. */
  readonly baseTokens: number;
  /** Requests that follow in the new window: expected, or counted afterwards. */
  readonly requests: number;
  /** The share of cache writes with the long lifetime. Default: none. */
  readonly share1h?: number;
  readonly speed?: Usage["speed"] | undefined;
  /** The cache has expired, so everything is written again in any case. */
  readonly isCold?: boolean;
  /** The share of requests that fetch something back. For the past it is known, and billed. */
  readonly fetchesPerRequest?: number;
}

/** Prices a compaction as one edit behind the base. The client's request for a model's summary is not included. */
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
  // The sentence gives the break-even next to the actual requests, so it is also correct for a compaction that has not paid off yet.
  return { isMade: true, why: "pays", expectedRequests, price };
}
