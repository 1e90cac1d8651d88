/** Number of values per bin. Plain data that can be added across threads and runs. */
export type Bins = Readonly<Record<number, number>>;

/** Neighbouring bins differ by 5 %, whatever the size of the values. */
const RATIO = Math.log(1.05);

export function countByRatio(values: readonly number[]): Bins {
  return countBins(values.map((value) => Math.round(Math.log(Math.max(value, 1e-6)) / RATIO)));
}

export function ratioOfBin(bin: number): number {
  return Math.exp(bin * RATIO);
}

export function mergeBins(some: Iterable<Bins>): Bins {
  const total: Record<number, number> = {};
  for (const bins of some)
    for (const [bin, count] of Object.entries(bins)) total[Number(bin)] = (total[Number(bin)] ?? 0) + count;
  return total;
}

/** The bin at or below which this share of the values lies; `undefined` for no values. */
export function quantileBin(bins: Bins, share: number): number | undefined {
  const sorted = Object.entries(bins)
    .map(([bin, count]) => ({ bin: Number(bin), count }))
    .sort((left, right) => left.bin - right.bin);
  const total = sorted.reduce((sum, { count }) => sum + count, 0);
  let left = Math.floor(total * share);
  for (const { bin, count } of sorted) {
    if (left < count) return bin;
    left -= count;
  }
  return sorted.at(-1)?.bin;
}

export function countBins(numbers: readonly number[]): Bins {
  const bins: Record<number, number> = {};
  for (const bin of numbers) bins[bin] = (bins[bin] ?? 0) + 1;
  return bins;
}
