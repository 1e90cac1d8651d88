/** A call as its block arrived. Any other fields are the caller's own. */
export interface StreamedCall {
  readonly name: string;
}

export type ToolOutcome<Call, Result> =
  | { readonly status: "done"; readonly call: Call; readonly result: Result }
  /** `run` threw (`error`), or `isFailure` returned true for its result. */
  | { readonly status: "failed"; readonly call: Call; readonly result?: Result; readonly error?: unknown }
  /** A call that was cancelled while running may still have had its effect. */
  | { readonly status: "cancelled"; readonly call: Call; readonly reason: string; readonly wasRunning: boolean };

export interface ToolExecutorOptions<Call extends StreamedCall, Result> {
  /** Runs a call, and should stop when the signal aborts. */
  run(call: Call, signal: AbortSignal): Promise<Result> | Result;
  /** For tools that return an error instead of throwing one. */
  isFailure?(result: Result): boolean;
  /** Tools whose failure cancels every other unfinished call of the response, because later calls depend on them. */
  readonly cancelsSiblings?: readonly string[];
  /** A call that must run alone: it waits for those before it, and those after it wait. Default: none. */
  isExclusive?(call: Call): boolean;
  readonly maxConcurrent?: number;
  readonly signal?: AbortSignal;
}

export interface ToolExecutor<Call, Result> {
  /** Starts the call now, or as soon as there is room. Resolves when it started or was cancelled; awaiting it slows the stream down. */
  add(call: Call): Promise<void>;
  /** In the order of the calls, each as soon as it and those before it are settled; ends after `finish`. */
  outcomes(): AsyncGenerator<ToolOutcome<Call, Result>, void, undefined>;
  /** No more calls will come. Resolves to all outcomes, in the order of the calls. */
  finish(): Promise<readonly ToolOutcome<Call, Result>[]>;
}

/** The shell, by the names that clients and the API give it; compared without case. */
const CANCELS_SIBLINGS: readonly string[] = ["Bash"];
const MAX_CONCURRENT = 10;

/**
 * Runs the tools of one response while it still streams in. A failed Bash call cancels its siblings, running, waiting or still to come; a
 * failure of any other tool affects only itself. Has no clock: for a time limit, pass a signal.
 */
export function createToolExecutor<Call extends StreamedCall, Result>(
  options: ToolExecutorOptions<Call, Result>,
): ToolExecutor<Call, Result> {
  checkOptions(options);
  const { cancelsSiblings = CANCELS_SIBLINGS, maxConcurrent = MAX_CONCURRENT, signal } = options;
  const settled = createGrowingList<Promise<ToolOutcome<Call, Result>>>();
  const queue = createToolQueue(maxConcurrent);
  const controller = new AbortController();
  let whyCancelled: string | undefined;

  const cancel = (reason: string): void => {
    whyCancelled ??= reason;
    controller.abort();
    queue.clear();
  };
  const onAbort = (): void => cancel("aborted");
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort, { once: true });

  const settle = async (call: Call, entered: Promise<boolean>): Promise<ToolOutcome<Call, Result>> => {
    const cancelled = { status: "cancelled", call } as const;
    // It may have been admitted and cancelled at the same moment.
    if (!(await entered) || whyCancelled !== undefined)
      return { ...cancelled, reason: whyCancelled ?? "", wasRunning: false };
    const outcome = await raceAbort(carryOut(call, options, controller.signal), controller.signal);
    if (outcome === undefined) return { ...cancelled, reason: whyCancelled ?? "", wasRunning: true };
    if (outcome.status === "failed" && cancelsSiblings.some((tool) => tool.toLowerCase() === call.name.toLowerCase()))
      cancel(`${call.name} failed beside it`);
    queue.release();
    return outcome;
  };

  return {
    add: async (call) => {
      if (settled.isClosed()) throw new TypeError("add() after finish(): create one executor for each response");
      const isWanted = whyCancelled === undefined;
      const entered = isWanted ? queue.enter(options.isExclusive?.(call) === true) : Promise.resolve(false);
      settled.push(settle(call, entered));
      await entered;
    },
    outcomes: settled.walk,
    finish: async () => {
      const all = await Promise.all(settled.close());
      signal?.removeEventListener("abort", onAbort);
      return all;
    },
  };
}

async function carryOut<Call extends StreamedCall, Result>(
  call: Call,
  options: ToolExecutorOptions<Call, Result>,
  signal: AbortSignal,
): Promise<ToolOutcome<Call, Result>> {
  try {
    const result = await options.run(call, signal);
    return { status: options.isFailure?.(result) === true ? "failed" : "done", call, result };
  } catch (error) {
    return { status: "failed", call, error };
  }
}

/** `undefined` as soon as the signal aborts, so that a tool that ignores the signal blocks nothing. */
function raceAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  return new Promise((resolve) => {
    const give = (value?: Value): void => {
      signal.removeEventListener("abort", onAbort);
      resolve(value);
    };
    const onAbort = (): void => give();
    signal.addEventListener("abort", onAbort);
    void work.then(give);
  });
}

function checkOptions<Call extends StreamedCall, Result>(options: ToolExecutorOptions<Call, Result>): void {
  const { run, maxConcurrent = MAX_CONCURRENT, cancelsSiblings = CANCELS_SIBLINGS } = options;
  if (typeof run !== "function") throw new TypeError("run must be a function (call, signal) => result");
  if (!(Number.isInteger(maxConcurrent) && maxConcurrent >= 1) && maxConcurrent !== Number.POSITIVE_INFINITY)
    throw new TypeError(`maxConcurrent takes a whole number of at least 1, or Infinity, not ${maxConcurrent}`);
  if (!Array.isArray(cancelsSiblings))
    throw new TypeError(`cancelsSiblings takes a list of tool names, such as ["Bash"], or [] for none`);
}

interface Waiting {
  readonly isExclusive: boolean;
  readonly answer: (isEntering: boolean) => void;
}

/** Admits at most so many calls at once, in the order of arrival, and an exclusive one alone. */
function createToolQueue(maxConcurrent: number) {
  const waiting: Waiting[] = [];
  let running = 0;
  let isExclusiveRunning = false;

  const hasRoom = ({ isExclusive }: Waiting): boolean =>
    running === 0 || (!isExclusive && !isExclusiveRunning && running < maxConcurrent);

  const admit = (): void => {
    for (let next = waiting[0]; next !== undefined && hasRoom(next); next = waiting[0]) {
      waiting.shift();
      running++;
      isExclusiveRunning = next.isExclusive;
      next.answer(true);
    }
  };

  return {
    /** `true` once there is room; `false` if the queue was cleared before. */
    enter: (isExclusive: boolean): Promise<boolean> =>
      new Promise((resolve) => {
        waiting.push({ isExclusive, answer: resolve });
        admit();
      }),
    release(): void {
      running--;
      isExclusiveRunning = false;
      admit();
    },
    /** Turns all waiting calls away. */
    clear(): void {
      for (const { answer } of waiting.splice(0)) answer(false);
    },
  };
}

/** A list that can be walked while it grows: the walk waits at the end until another item comes or the list is closed. */
function createGrowingList<Item extends object>() {
  const items: Item[] = [];
  let isClosed = false;
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    for (const goOn of waiting) goOn();
    waiting = [];
  };
  return {
    isClosed: (): boolean => isClosed,
    push(item: Item): void {
      items.push(item);
      wake();
    },
    close(): readonly Item[] {
      isClosed = true;
      wake();
      return items;
    },
    async *walk(): AsyncGenerator<Awaited<Item>, void, undefined> {
      for (let index = 0; index < items.length || !isClosed; ) {
        const next = items[index];
        if (next === undefined) await new Promise<void>((resolve) => waiting.push(resolve));
        else {
          index++;
          yield await next;
        }
      }
    },
  };
}
