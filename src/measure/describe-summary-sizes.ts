import { quantile } from "./quantile.ts";

/** How large compaction summaries are, in tokens. */
export interface SummarySizes {
  readonly count: number;
  readonly least: number | undefined;
  readonly mean: number | undefined;
  readonly p50: number | undefined;
  readonly p90: number | undefined;
  readonly p99: number | undefined;
  /** Of fewer than 10,000 summaries it is the largest one, and says no more than that. */
  readonly p9999: number | undefined;
  readonly most: number | undefined;
}

export function describeSummarySizes(tokens: readonly number[]): SummarySizes {
  const sizes = tokens.filter((size) => Number.isFinite(size) && size >= 0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return {
    count: sizes.length,
    least: quantile(sizes, 0),
    mean: sizes.length === 0 ? undefined : total / sizes.length,
    p50: quantile(sizes, 0.5),
    p90: quantile(sizes, 0.9),
    p99: quantile(sizes, 0.99),
    p9999: quantile(sizes, 0.9999),
    most: quantile(sizes, 1),
  };
}
