/** Counts of sizes in steps of a twelfth of a doubling: every value it gives back lies within 3 % of the one put in. */
export type RequestHistogram = Readonly<Record<string, number>>;

const STEPS_PER_DOUBLING = 12;

export function countSizes(sizes: Iterable<number>): RequestHistogram {
  const counts: Record<string, number> = {};
  for (const size of sizes) {
    const bucket = size < 1 ? -1 : Math.round(Math.log2(size) * STEPS_PER_DOUBLING);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
}

export function joinHistograms(histograms: Iterable<RequestHistogram>): RequestHistogram {
  const counts: Record<string, number> = {};
  for (const histogram of histograms)
    for (const [bucket, count] of Object.entries(histogram)) counts[bucket] = (counts[bucket] ?? 0) + count;
  return counts;
}

export function countAll(histogram: RequestHistogram): number {
  return Object.values(histogram).reduce((sum, count) => sum + count, 0);
}

/** The size below which so large a share lies; 0 of none. */
export function quantileOf(histogram: RequestHistogram, share: number): number {
  const buckets = Object.entries(histogram)
    .map(([bucket, count]) => ({ bucket: Number(bucket), count }))
    .sort((left, right) => left.bucket - right.bucket);
  const total = countAll(histogram);
  const rank = Math.min(total - 1, Math.floor(total * share));
  let passed = 0;
  for (const { bucket, count } of buckets) {
    passed += count;
    if (passed > rank) return bucket < 0 ? 0 : 2 ** (bucket / STEPS_PER_DOUBLING);
  }
  return 0;
}
