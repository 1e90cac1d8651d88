/** Of an even number of values, half-way between the two in the middle. */
export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((left, right) => left - right);
  const half = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

/** The value below which this share of the values lies; `undefined` for no values. */
export function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
