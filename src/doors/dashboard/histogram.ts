import { type Bins, quantileBin } from "../../replay/bins.ts";

/** Counts of sizes in steps of a twelfth of a doubling: every value it gives back lies within 3 % of the one put in. */
export type RequestHistogram = Bins;

const STEPS_PER_DOUBLING = 12;

export function countSizes(sizes: Iterable<number>): RequestHistogram {
  const counts: Record<number, number> = {};
  for (const size of sizes) {
    const bucket = size < 1 ? -1 : Math.round(Math.log2(size) * STEPS_PER_DOUBLING);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
}

export function countAll(histogram: RequestHistogram): number {
  return Object.values(histogram).reduce((sum, count) => sum + count, 0);
}

/** The size below which so large a share lies; 0 of none. */
export function quantileOf(histogram: RequestHistogram, share: number): number {
  const bucket = quantileBin(histogram, share);
  return bucket === undefined || bucket < 0 ? 0 : 2 ** (bucket / STEPS_PER_DOUBLING);
}
