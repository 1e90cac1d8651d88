/** If red: a compaction is said to save dollars that fetching back will cost. */
import { describe, expect, it } from "vitest";
import { type Usage, zeroUsage } from "../../core/usage.ts";
import { FETCHES_PER_REQUEST, RECOVERY_OUTPUT_TOKENS, RECOVERY_PAGE_TOKENS } from "../../models/economics/recovery.ts";
import { priceUsage } from "../../models/economics/spend.ts";
import { type CompactionTerms, priceCompaction } from "./price-compaction.ts";

const SIZES = { beforeTokens: 108_000, afterTokens: 30_000, baseTokens: 20_000, requests: 20 };

interface Served {
  readonly model: string;
  readonly share1h: number;
  readonly speed?: Usage["speed"];
  readonly isCold?: boolean;
}

/** The requests that follow, one by one, at the prices of the bill: with the compaction, and without it. */
function billBoth({ model, share1h, speed, isCold }: Served): number {
  const bill = (usage: Partial<Usage>): number =>
    priceUsage({ ...zeroUsage, ...usage, ...(speed && { speed }) }, model)?.totalUsd ?? Number.NaN;
  const write = (tokens: number): Partial<Usage> => ({
    cacheWrite5mTokens: tokens * (1 - share1h),
    cacheWrite1hTokens: tokens * share1h,
  });
  const { beforeTokens, afterTokens, baseTokens, requests } = SIZES;
  const later = requests - 1;
  const read = (tokens: number): number => bill({ cacheReadTokens: tokens });
  const without = (isCold ? bill(write(beforeTokens)) : read(beforeTokens)) + later * read(beforeTokens);
  const first = isCold
    ? bill(write(afterTokens))
    : bill({ cacheReadTokens: baseTokens, ...write(afterTokens - baseTokens) });
  const fetch = bill({
    cacheReadTokens: afterTokens,
    outputTokens: RECOVERY_OUTPUT_TOKENS,
    ...write(RECOVERY_PAGE_TOKENS),
  });
  return without - first - later * read(afterTokens) - requests * FETCHES_PER_REQUEST * fetch;
}

function price(served: Served, more: Partial<CompactionTerms> = {}): number | undefined {
  return priceCompaction({ ...SIZES, ...served, ...more }).price.expectedNetUsd;
}

describe("the dollars that a compaction is said to save", () => {
  it.each<Served>([
    { model: "claude-opus-4-8", share1h: 0 },
    { model: "claude-opus-4-8", share1h: 1 },
    { model: "claude-opus-4-8", share1h: 0, speed: "fast" },
    { model: "claude-opus-4-8", share1h: 1, speed: "fast" },
    { model: "claude-opus-4-6", share1h: 1, speed: "fast" },
    { model: "claude-sonnet-5-5", share1h: 1 },
    { model: "claude-opus-4-8", share1h: 1, isCold: true },
    { model: "gpt-5.4", share1h: 0 },
  ])("are those of the bill, fetching back included: %o", (served) => {
    expect(price(served)).toBeCloseTo(billBoth(served), 6);
  });

  it("deduct what is expected to be fetched back, unless it is known", () => {
    const { recoveryUsd = 0 } = priceCompaction({ ...SIZES, model: "claude-opus-4-8" }).price;
    expect(recoveryUsd).toBeGreaterThan(0);
    const known = price({ model: "claude-opus-4-8", share1h: 0 }, { fetchesPerRequest: 0 }) ?? 0;
    expect(known).toBeCloseTo((price({ model: "claude-opus-4-8", share1h: 0 }) ?? 0) + recoveryUsd, 9);
  });
});
