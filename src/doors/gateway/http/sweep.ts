import v8 from "node:v8";
import vm from "node:vm";

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
export function findCollector(...given: readonly object[]): (() => void) | undefined {
  try {
    v8.setFlagsFromString("--expose-gc");
    const collect: unknown = vm.runInNewContext("gc");
    return typeof collect === "function" ? () => void Reflect.apply(collect, undefined, given) : undefined;
  } catch {
    return undefined;
  }
}
