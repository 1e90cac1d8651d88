export function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Runs every candidate once per round, in turn, so that a noisy moment hits all alike. Milliseconds per candidate. */
export async function timeInterleaved<Name extends string>(
  candidates: Readonly<Record<Name, () => Promise<void> | void>>,
  rounds: number,
): Promise<Record<Name, readonly number[]>> {
  const names = Object.keys(candidates) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const started = performance.now();
      await candidates[name]();
      times[name].push(performance.now() - started);
    }
  }
  return times;
}
