import os from "node:os";
import v8 from "node:v8";
import vm from "node:vm";
/** What somebody is about to take: of the heap, and outside of it. */
export interface RoomRequest {
  readonly heapBytes?: number;
  readonly outsideBytes?: number;
}

/** Lets no more be taken at once than the process can hold. */
export interface MemoryRoom {
  /**
   * Room for so much, at once or within a moment; `undefined` where there is none. It is set aside until the returned function
   * says that it was taken, and shows in what is used, or is no longer needed.
   */
  find(wanted: RoomRequest): Promise<(() => void) | undefined>;
  /** For who cannot wait. */
  has(wanted: RoomRequest): boolean;
  waiting(): number;
}

export interface RoomOptions {
  /** The most that may be used; told apart because a full heap ends a process whatever memory is left. */
  readonly limits: { readonly heapBytes: number; readonly totalBytes: number };
  used(): { readonly heapBytes: number; readonly outsideBytes: number };
  /** Frees what nobody needs. */
  collect(): void;
  /** Frees what somebody may need again, and can do without. */
  forget(): void;
  readonly waitMs?: number;
}

const WAIT_MS = 2_000;
/** More than these would wait for longer than anybody. */
const MAX_WAITING = 256;
const PAUSE_MS = 20;
/** Collecting a large heap takes a while, in which nobody is served: not oftener than this, and for no larger part of the time. */
const RELIEF_MS = 500;
const RELIEF_PART = 0.1;
/** What is a larger part of all memory than this is large, and leaves some of it to what is not. */
const LARGE_PART = 0.02;
const LARGE_SHARE = 0.8;

export function createMemoryRoom({ limits, used, collect, forget, waitMs = WAIT_MS }: RoomOptions): MemoryRoom {
  const aside = { heapBytes: 0, outsideBytes: 0 };
  /** Of the large ones whoever came first is served first; the others pass them by, as one who has a letter to post does. */
  const queue: object[] = [];
  let waiting = 0;
  let relieveAtMs = Number.NEGATIVE_INFINITY;
  let hasCollected = false;

  const isLarge = ({ heapBytes = 0, outsideBytes = 0 }: RoomRequest): boolean =>
    heapBytes > LARGE_PART * limits.heapBytes || heapBytes + outsideBytes > LARGE_PART * limits.totalBytes;
  const exceeds = (heapBytes: number, totalBytes: number, share: number): boolean =>
    heapBytes > share * limits.heapBytes || totalBytes > share * limits.totalBytes;
  const fits = (wanted: RoomRequest): boolean => {
    const { heapBytes = 0, outsideBytes = 0 } = wanted;
    const now = used();
    const heap = now.heapBytes + aside.heapBytes + heapBytes;
    const total = heap + now.outsideBytes + aside.outsideBytes + outsideBytes;
    return !exceeds(heap, total, isLarge(wanted) ? LARGE_SHARE : 1);
  };
  const fitsRelieved = (wanted: RoomRequest): boolean => {
    if (fits(wanted)) return true;
    const beganMs = performance.now();
    if (beganMs < relieveAtMs) return false;
    if (hasCollected) forget();
    collect();
    const endedMs = performance.now();
    relieveAtMs = endedMs + Math.max(RELIEF_MS, (endedMs - beganMs) / RELIEF_PART);
    // What is remembered goes only where collecting alone was not enough.
    const isEnough = fits(wanted);
    hasCollected = !isEnough;
    return isEnough;
  };
  const setAside = ({ heapBytes = 0, outsideBytes = 0 }: RoomRequest): (() => void) => {
    aside.heapBytes += heapBytes;
    aside.outsideBytes += outsideBytes;
    let isAside = true;
    return () => {
      if (!isAside) return;
      isAside = false;
      aside.heapBytes -= heapBytes;
      aside.outsideBytes -= outsideBytes;
    };
  };
  const wait = async (wanted: RoomRequest): Promise<(() => void) | undefined> => {
    const ticket = {};
    if (isLarge(wanted)) queue.push(ticket);
    const untilMs = performance.now() + waitMs;
    waiting++;
    try {
      while (performance.now() < untilMs) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        if ((queue[0] === ticket || !isLarge(wanted)) && fitsRelieved(wanted)) return setAside(wanted);
      }
      return undefined;
    } finally {
      waiting--;
      if (isLarge(wanted)) queue.splice(queue.indexOf(ticket), 1);
    }
  };

  return {
    waiting: () => waiting,
    has: fits,
    async find(wanted) {
      const { heapBytes = 0, outsideBytes = 0 } = wanted;
      if (exceeds(heapBytes, heapBytes + outsideBytes, isLarge(wanted) ? LARGE_SHARE : 1)) return undefined;
      if ((queue.length === 0 || !isLarge(wanted)) && fitsRelieved(wanted)) return setAside(wanted);
      return waiting < MAX_WAITING ? wait(wanted) : undefined;
    },
  };
}

/** Of what there is, so much may be used before bodies wait: the rest is for what nobody announces. */
const SHARE = 0.7;
/** Bodies lie outside of the heap, and weigh less there than what is made of them in it. */
const TOTAL_PER_HEAP = 2;

/** This process as a room for bodies. `memoryBytes` is what it may use in all: by default what its container, or the machine, has. */
export function measureProcess(memoryBytes?: number): Pick<RoomOptions, "limits" | "used" | "collect"> {
  const { heap_size_limit: heapLimit } = v8.getHeapStatistics();
  const collect = findCollector();
  const given = memoryBytes ?? Math.min(findMemory(), heapLimit * TOTAL_PER_HEAP);
  return {
    limits: { heapBytes: SHARE * Math.min(heapLimit, given), totalBytes: SHARE * given },
    used: () => {
      const { used_heap_size: heapBytes, external_memory: outsideBytes } = v8.getHeapStatistics();
      return { heapBytes, outsideBytes };
    },
    // The first time tells that a buffer is no longer needed, the second one gives its memory back.
    collect: () => {
      collect?.();
      collect?.();
    },
  };
}

/** Without a container's limit some systems tell none, and some one beyond all memory. */
function findMemory(): number {
  const constrained = process.constrainedMemory?.() ?? 0;
  return constrained > 0 ? Math.min(constrained, os.totalmem()) : os.totalmem();
}

/** Keeps the memory that bodies came in from piling up. */
export interface Sweep {
  /** So many bytes were read. */
  read(bytes: number): void;
}

const ENOUGH_BYTES = 4 * 1024 * 1024;
/** Long enough that the request which was read is on its way. */
const SOON_MS = 25;

/**
 * A body comes in pieces of 64 KB that are rubbish as soon as they are put together, outside of the heap, where they count
 * towards the next collection of the whole of it: with bodies of 5 MB one was under way during every request, and took 5 ms of it.
 * Collecting the young ones alone takes less than one, between requests.
 */
export function createSweep(collect: (() => void) | undefined = findCollector({ type: "minor" })): Sweep {
  let readBytes = 0;
  let isDue = false;
  const sweep = (): void => {
    isDue = false;
    readBytes = 0;
    collect?.();
  };
  return {
    read(bytes) {
      readBytes += bytes;
      if (!collect || isDue || readBytes < ENOUGH_BYTES) return;
      isDue = true;
      setTimeout(sweep, SOON_MS).unref();
    },
  };
}

/** The engine tells contexts that begin after the flag was set. Where it does not, all is as it would be without. */
function findCollector(...given: readonly object[]): (() => void) | undefined {
  try {
    v8.setFlagsFromString("--expose-gc");
    const collect: unknown = vm.runInNewContext("gc");
    return typeof collect === "function" ? () => void Reflect.apply(collect, undefined, given) : undefined;
  } catch {
    return undefined;
  }
}
