import { randomUUID } from "node:crypto";
import { chmodSync, lstatSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { hasMade, StoreError } from "./private-files.ts";

export interface LockOptions {
  readonly waitMs?: number;
}

const PAUSE_MS = 10;
/** A holder that takes longer has died: what is done under a lock takes milliseconds. */
const STALE_MS = 10_000;

/**
 * Runs one at a time among all processes that use the same path, so that two merges do not lose one another's entries. Waits a
 * number of pauses and not by the clock, which can be set back meanwhile; throws a `StoreError` where the lock is not to be had.
 */
export function withLock<T>(lock: string, run: () => T, { waitMs = 2000 }: LockOptions = {}): T {
  for (let pauses = 0; !hasMade(lock); pauses++) {
    refuseAfter(lock, pauses, waitMs);
    if (!hasBroken(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
  try {
    return run();
  } finally {
    releaseLock(lock);
  }
}

/** The same for what is done in several steps; others of this process go on while it waits. */
export async function holdLock<T>(
  lock: string,
  run: () => Promise<T>,
  { waitMs = 2000 }: LockOptions = {},
): Promise<T> {
  for (let pauses = 0; !hasMade(lock); pauses++) {
    refuseAfter(lock, pauses, waitMs);
    if (!hasBroken(lock)) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  try {
    return await run();
  } finally {
    releaseLock(lock);
  }
}

function refuseAfter(lock: string, pauses: number, waitMs: number): void {
  if (pauses * PAUSE_MS >= waitMs)
    throw new StoreError("locked", `another process uses the lock ${lock}: try again, or delete the lock`);
}

/**
 * Takes away what lies in the place of a lock and is too old to be held, whatever it is: a repository can bring a folder with
 * something in it, a file or a link. Moved aside first, which works for all of them and for one process alone.
 */
export function hasBroken(lock: string): boolean {
  const status = lstatSync(lock, { throwIfNoEntry: false });
  // A time in the future tells as little of a living holder as one long ago: the clock was set back, or nobody here made it.
  if (status === undefined || Math.abs(Date.now() - status.mtimeMs) <= STALE_MS) return false;
  const aside = `${lock}.${randomUUID()}.old`;
  try {
    renameSync(lock, aside);
  } catch {
    // Another process was faster, or it may not be moved: whoever waits finds out.
    return false;
  }
  try {
    // A folder that may not be entered could not be emptied; a link is left as it is, and so is what it leads to.
    if (status.isDirectory()) chmodSync(aside, 0o700);
    rmSync(aside, { recursive: true, force: true });
  } catch {
    // Not ours to look into; in nobody's way any more.
  }
  return true;
}

export function releaseLock(lock: string): void {
  try {
    rmdirSync(lock);
  } catch {
    // Gone already, or not ours to remove: the next to come finds out.
  }
}
