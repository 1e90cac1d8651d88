import { quantile } from "./quantile.ts";

/** How values are spread, with what so many of them can carry. */
export interface Distribution {
  readonly count: number;
  readonly mean: number;
  readonly largest: number;
  readonly quantiles: readonly DistributionQuantile[];
}

export interface DistributionQuantile {
  readonly share: number;
  readonly value: number;
  /** Whether there are enough values for one to lie above it; otherwise it is the largest value and no more than that. */
  readonly isSupported: boolean;
}

/** p50, p90, p99 and the one in ten thousand that a hard limit must hold for. */
const SHARES: readonly number[] = [0.5, 0.9, 0.99, 0.9999];

/** `undefined` of no values. */
export function describeDistribution(
  values: readonly number[],
  shares: readonly number[] = SHARES,
): Distribution | undefined {
  if (values.length === 0) return undefined;
  return {
    count: values.length,
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    largest: values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
    quantiles: shares.map((share) => ({
      share,
      value: quantile(values, share) ?? 0,
      // A hair is added because 1 - 0.9999 is not quite 0.0001 in binary.
      isSupported: values.length * (1 - share) >= 1 - 1e-9,
    })),
  };
}
