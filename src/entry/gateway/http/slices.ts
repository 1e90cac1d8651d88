/** Runs heavy work one piece after another, and serves other requests in between. */
export interface Slices {
  /** Runs at once if nothing waits and little was done since others were served; otherwise later. */
  run<Value>(work: () => Value): Promise<Awaited<Value>>;
  waiting(): number;
  expectedMs(): number;
}

/** After this much work in a row others are served. Less makes no difference, and much more runs into a load balancer's time-out. */
const SLICE_MS = 25;
/**
 * Rounds of the event loop between two slices. Each accepts one new connection and reads its request in the next:
 * with fewer, a client that connects behind a crowd would wait for all of it. An empty round takes microseconds.
 */
const ROUNDS = 64;
/** Weight of a new duration in the moving average. */
const NEWEST = 0.2;

/** Without slices, a hundred large bodies that complete at once would be planned in one go, and nothing else be answered for ten seconds. */
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
    // Work that a piece does after an await of its own runs, and is counted, before the next piece begins. A tick alone would come too early.
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
