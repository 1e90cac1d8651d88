import os from "node:os";
import v8 from "node:v8";
import vm from "node:vm";
import { once } from "./answer.ts";

export interface RoomRequest {
  readonly heapBytes?: number;
  readonly outsideBytes?: number;
}

export interface MemoryRoom {
  /** Room, at once or after a short wait; `undefined` if there is none. The returned function ends the reservation once the memory is taken. */
  find(wanted: RoomRequest): Promise<(() => void) | undefined>;
  /** For callers that cannot wait. */
  has(wanted: RoomRequest): boolean;
  waiting(): number;
}

export interface RoomOptions {
  /** The most that may be used. The heap has its own limit because a full heap ends the process however much memory is left. */
  readonly limits: { readonly heapBytes: number; readonly totalBytes: number };
  used(): { readonly heapBytes: number; readonly outsideBytes: number };
  collect(): void;
  /** Frees what may be needed again but can be read again. */
  forget(): void;
  readonly waitMs?: number;
}

const WAIT_MS = 2_000;
/** With more waiting, the last would wait for longer than any client does. */
const MAX_WAITING = 256;
const PAUSE_MS = 20;
/** Collecting a large heap blocks the process: not more often than this, and for no larger part of the time. */
const RELIEF_MS = 500;
const RELIEF_PART = 0.1;
/** A body above this part of all memory is large. Large bodies may use `LARGE_SHARE` of it and leave the rest to small ones. */
const LARGE_PART = 0.02;
const LARGE_SHARE = 0.8;

export function createMemoryRoom({ limits, used, collect, forget, waitMs = WAIT_MS }: RoomOptions): MemoryRoom {
  const aside = { heapBytes: 0, outsideBytes: 0 };
  /** Large bodies are served in order of arrival; small ones pass them by. */
  const queue: object[] = [];
  let waiting = 0;
  let relieveAtMs = Number.NEGATIVE_INFINITY;
  let hasCollected = false;

  const exceeds = (share: number, ...parts: readonly RoomRequest[]): boolean => {
    const heap = parts.reduce((sum, { heapBytes = 0 }) => sum + heapBytes, 0);
    const total = parts.reduce((sum, { outsideBytes = 0 }) => sum + outsideBytes, heap);
    return heap > share * limits.heapBytes || total > share * limits.totalBytes;
  };
  const isLarge = (wanted: RoomRequest): boolean => exceeds(LARGE_PART, wanted);
  const fitsNextTo = (wanted: RoomRequest, ...others: readonly RoomRequest[]): boolean =>
    !exceeds(isLarge(wanted) ? LARGE_SHARE : 1, wanted, ...others);
  const fits = (wanted: RoomRequest): boolean => fitsNextTo(wanted, used(), aside);
  const fitsRelieved = (wanted: RoomRequest): boolean => {
    if (fits(wanted)) return true;
    const beganMs = performance.now();
    if (beganMs < relieveAtMs) return false;
    if (hasCollected) forget();
    collect();
    const endedMs = performance.now();
    relieveAtMs = endedMs + Math.max(RELIEF_MS, (endedMs - beganMs) / RELIEF_PART);
    // Remembered bodies are dropped only if collecting alone was not enough.
    const isEnough = fits(wanted);
    hasCollected = !isEnough;
    return isEnough;
  };
  const setAside = ({ heapBytes = 0, outsideBytes = 0 }: RoomRequest): (() => void) => {
    aside.heapBytes += heapBytes;
    aside.outsideBytes += outsideBytes;
    return once(() => {
      aside.heapBytes -= heapBytes;
      aside.outsideBytes -= outsideBytes;
    });
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
      if (!fitsNextTo(wanted)) return undefined;
      if ((queue.length === 0 || !isLarge(wanted)) && fitsRelieved(wanted)) return setAside(wanted);
      return waiting < MAX_WAITING ? wait(wanted) : undefined;
    },
  };
}

/** The part of memory that may be used before bodies wait. The rest is for allocations that are not announced. */
const SHARE = 0.7;
/** Bodies are outside of the heap, and take less there than what is parsed from them takes in it. */
const TOTAL_PER_HEAP = 2;

/** This process as a room for bodies. `memoryBytes` is what it may use; by default the container's limit, or else the machine's memory. */
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
    // The first collection finds that a buffer is no longer needed, the second one frees its memory.
    collect: () => {
      collect?.();
      collect?.();
    },
  };
}

/** Without a container's limit some systems report none, and some report more than all memory. */
function findMemory(): number {
  const constrained = process.constrainedMemory?.() ?? 0;
  return constrained > 0 ? Math.min(constrained, os.totalmem()) : os.totalmem();
}

/** Keeps the memory of received bodies from piling up. */
export interface Sweep {
  read(bytes: number): void;
}

const ENOUGH_BYTES = 4 * 1024 * 1024;
/** Long enough for the request that was read to be on its way. */
const SOON_MS = 25;

/**
 * A body comes in pieces of 64 KB that are garbage as soon as they are joined. They are outside of the heap and count towards the next full
 * collection: with bodies of 5 MB one ran during every request and took 5 ms of it. A minor collection between requests takes less than 1 ms.
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

/** V8 exposes `gc` in contexts created after the flag was set. If it does not, everything works without. */
function findCollector(...given: readonly object[]): (() => void) | undefined {
  try {
    v8.setFlagsFromString("--expose-gc");
    const collect: unknown = vm.runInNewContext("gc");
    return typeof collect === "function" ? () => void Reflect.apply(collect, undefined, given) : undefined;
  } catch {
    return undefined;
  }
}
