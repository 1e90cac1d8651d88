/** An interval that holds nine of ten resampled totals. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 1000;
const OUTSIDE = 0.05;
const SEED = 0x706c696d;

/**
 * How often each session is drawn, once for every resample. Whole repositories are drawn: sessions of one repository are alike, so that
 * drawing them one by one would promise more than is known. Of one repository nothing can be drawn. The same draws every time.
 */
export function drawResamples(repositories: readonly string[]): readonly Uint16Array[] {
  const names = [...new Set(repositories)];
  if (names.length < 2) return [];
  const numbers = repositories.map((name) => names.indexOf(name));
  const draw = createGenerator(SEED);
  return Array.from({ length: RESAMPLES }, () => {
    const often = new Uint16Array(names.length);
    for (let index = 0; index < names.length; index++) {
      const chosen = Math.floor(draw() * names.length);
      often[chosen] = (often[chosen] ?? 0) + 1;
    }
    return Uint16Array.from(numbers, (number) => often[number] ?? 0);
  });
}

/** `undefined` where fewer than half of the resamples could tell the value. */
export function findInterval(values: readonly (number | undefined)[]): Interval | undefined {
  const told = values.filter((value) => value !== undefined).sort((left, right) => left - right);
  if (told.length === 0 || told.length * 2 < values.length) return undefined;
  const at = (share: number): number => told[Math.min(told.length - 1, Math.floor(told.length * share))] ?? 0;
  return { low: at(OUTSIDE), high: at(1 - OUTSIDE) };
}

/** Mulberry32: numbers from 0 to below 1, the same for the same seed on every machine. */
function createGenerator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
