import { expect } from "vitest";

const TIMES = 8;
/** Twice the work of eight times the size is noise; eight times it is a square. */
const SLACK = 3;
/** Below this, what is measured is the collector and the compiler. */
const LEAST_MS = 2;
const ROUNDS = 6;
/** What takes so long is no noise: not measured more than twice. */
const LONG_MS = 1000;

/**
 * Holds work to time in proportion to its size, or to a power of it: eight times the size may take three times as long as that
 * says, and no longer. Processor time, the least of several rounds, small and large by turns: a busy machine slows down both.
 */
export function expectProportional(size: number, work: (size: number) => void, options: GrowthOptions = {}): void {
  const most = TIMES ** (options.degree ?? 1) * SLACK;
  let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round++) {
    small = Math.min(
      small,
      measureMs(() => work(Math.ceil(size / TIMES))),
    );
    large = Math.min(
      large,
      measureMs(() => work(size)),
    );
    if (large <= most * Math.max(small, LEAST_MS)) return;
    if (large > LONG_MS && round > 0) break;
  }
  expect(large / Math.max(small, LEAST_MS), options.what).toBeLessThanOrEqual(most);
}

interface GrowthOptions {
  /** 2 where the work is a product of two lengths that both grow. */
  readonly degree?: number;
  readonly what?: string;
}

function measureMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
