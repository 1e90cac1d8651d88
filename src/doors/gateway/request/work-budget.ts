/** What a request may spend on being read and planned. */
export interface WorkBudget {
  /** Counts what a piece of work takes. Pieces do not wait for anything. */
  count<Value>(work: () => Value): Value;
  /** Also asked within a piece. */
  isSpent(): boolean;
}

/** Both in milliseconds. */
export interface Clocks {
  wallMs(): number;
  /** Of this process, all its threads together. */
  cpuMs(): number;
}

/** Asking the system for processor time takes microseconds, and a small request would ask a dozen times: a tenth of all its work. */
const CPU_AGE_MS = 1;

/** The real ones. The processor's time may be a millisecond old, which a budget of tens of milliseconds does not notice. */
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

/**
 * On a machine with other work to do a piece takes long by the clock although it is small: what counts is the processor's time in it. The
 * process has other threads, whose time the processor's clock counts as well, so that the smaller of the two is nearer to the truth.
 */
export function createWorkBudget(budgetMs: number, clocks: Clocks = CLOCKS): WorkBudget {
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
    isSpent: () => spentMs + (sinceBegin?.() ?? 0) > budgetMs,
  };
}
