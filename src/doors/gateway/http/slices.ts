/** Has what is heavy done one piece after another, and whatever else came served in between. */
export interface Slices {
  /** Does it now where nothing waits and little was done since others were served; later where not. */
  run<Value>(work: () => Value): Promise<Awaited<Value>>;
  waiting(): number;
  /** About how long who comes now would wait. */
  expectedMs(): number;
}

/** After so much work in a row others are served: nobody notices less, and much more is a balancer's time-out. */
const SLICE_MS = 25;
/**
 * Rounds of the loop between two slices. It takes one new connection in each, and hears what is asked on it in the next: with fewer, who
 * connects behind a crowd would wait for everybody in it. A round in which nothing happens takes microseconds.
 */
const ROUNDS = 64;
/** How much a new duration weighs in the mean of those before. */
const NEWEST = 0.2;

/**
 * One thread serves everybody. A hundred large bodies that are whole in the same moment would be parsed and planned in one breath,
 * for ten seconds, without anybody else being answered.
 */
export function createSlices(clockMs: () => number = () => performance.now()): Slices {
  const queue: (() => void)[] = [];
  let sliceBeganMs: number | undefined;
  let isPumping = false;
  let meanMs = 0;

  const isSpent = (): boolean => {
    if (sliceBeganMs === undefined) {
      sliceBeganMs = clockMs();
      setImmediate(() => {
        sliceBeganMs = undefined;
      });
    }
    return clockMs() - sliceBeganMs > SLICE_MS;
  };
  const pump = (rounds: number = ROUNDS): void => {
    isPumping = true;
    setImmediate(() => (rounds > 0 ? pump(rounds - 1) : next()));
  };
  const next = (beganMs: number = clockMs()): void => {
    queue.shift()?.();
    // What a piece does behind a pause of its own is done, and counted, before the next one begins: a tick alone would come before it.
    queueMicrotask(() =>
      process.nextTick(() => {
        isPumping = false;
        if (queue.length === 0) return;
        if (clockMs() - beganMs > SLICE_MS) return pump();
        isPumping = true;
        next(beganMs);
      }),
    );
  };
  const time = <Value>(work: () => Value): Value => {
    const beganMs = clockMs();
    try {
      return work();
    } finally {
      meanMs += NEWEST * (clockMs() - beganMs - meanMs);
    }
  };

  return {
    waiting: () => queue.length,
    expectedMs: () => queue.length * meanMs,
    run(work) {
      return new Promise((resolve, reject) => {
        const perform = (): void => {
          try {
            resolve(Promise.resolve(time(work)));
          } catch (error) {
            reject(error);
          }
        };
        if (queue.length === 0 && !isSpent()) return perform();
        queue.push(perform);
        if (!isPumping) pump();
      });
    },
  };
}
