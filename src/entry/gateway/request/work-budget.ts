export interface WorkBudget {
  /** Counts the time of a piece of work, which must be synchronous. */
  count<Value>(work: () => Value): Value;
  /** May also be asked within a piece. */
  isSpent(): boolean;
  readonly limitMs: number;
}

export interface Clocks {
  wallMs(): number;
  /** Of all threads of this process together. */
  cpuMs(): number;
}

/** Reading the processor time takes microseconds, and a small request would read it a dozen times: a tenth of all its work. */
const CPU_AGE_MS = 1;

function createClocks(): Clocks {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let cpuMs = 0;
  return {
    wallMs: () => performance.now(),
    cpuMs() {
      const nowMs = performance.now();
      if (nowMs >= readAtMs && nowMs - readAtMs < CPU_AGE_MS) return cpuMs;
      const { user, system } = process.cpuUsage();
      readAtMs = nowMs;
      cpuMs = (user + system) / 1000;
      return cpuMs;
    },
  };
}

const CLOCKS = createClocks();

/** How long this process has worked since, in milliseconds: the smaller of both clocks. */
export function startClock(clocks: Clocks = CLOCKS): () => number {
  const [wallMs, cpuMs] = [clocks.wallMs(), clocks.cpuMs()];
  return () => Math.min(clocks.wallMs() - wallMs, clocks.cpuMs() - cpuMs);
}

/** On a busy machine work takes long by the wall clock, and processor time includes other threads: the smaller is nearer to the truth. */
export function createWorkBudget(limitMs: number, clocks: Clocks = CLOCKS): WorkBudget {
  let spentMs = 0;
  let sinceBegin: (() => number) | undefined;
  return {
    count(work) {
      const since = startClock(clocks);
      sinceBegin = since;
      try {
        return work();
      } finally {
        spentMs += since();
        sinceBegin = undefined;
      }
    },
    isSpent: () => spentMs + (sinceBegin?.() ?? 0) > limitMs,
    limitMs,
  };
}
