import { lstatSync, rmdirSync } from "node:fs";
import { hasMade, StoreError } from "./private-files.ts";

export interface LockOptions {
  readonly waitMs?: number;
  /** A holder that takes longer has died: what is done under a lock takes milliseconds. */
  readonly staleMs?: number;
}

const PAUSE_MS = 10;

/** Runs one at a time among all processes that use the same path, so that two merges do not lose one another's entries. */
export function withLock<T>(lock: string, run: () => T, { waitMs = 2000, staleMs = 10_000 }: LockOptions = {}): T {
  const untilMs = Date.now() + waitMs;
  while (!hasMade(lock)) {
    if (isStale(lock, staleMs)) release(lock);
    else if (Date.now() >= untilMs)
      throw new StoreError("locked", `${lock} is held by another process: try again, or remove it`);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
  try {
    return run();
  } finally {
    release(lock);
  }
}

function isStale(lock: string, staleMs: number): boolean {
  const status = lstatSync(lock, { throwIfNoEntry: false });
  return status !== undefined && Date.now() - status.mtimeMs > staleMs;
}

function release(lock: string): void {
  try {
    rmdirSync(lock);
  } catch {
    // Gone already, or not ours to remove: the next to come finds out.
  }
}
