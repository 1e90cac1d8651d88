import { randomUUID } from "node:crypto";
import { chmodSync, lstatSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { quietly } from "../core/quietly.ts";
import { hasMade, StoreError } from "./private-files.ts";

const PAUSE_MS = 10;
const WAIT_MS = 2000;
/** A holder that takes longer has died: work under a lock takes milliseconds. */
const STALE_MS = 10_000;

/** Runs one at a time among all processes that use the path. Counts pauses, because a clock can be set back; throws a `StoreError` if the lock cannot be taken. */
export function withLock<T>(lock: string, run: () => T, { waitMs = WAIT_MS }: { readonly waitMs?: number } = {}): T {
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

/** The same for asynchronous work; the process goes on while it waits. */
export async function holdLock<T>(lock: string, run: () => Promise<T>): Promise<T> {
  for (let pauses = 0; !hasMade(lock); pauses++) {
    refuseAfter(lock, pauses, WAIT_MS);
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

/** Removes what is too old to be a held lock, whatever a repository put there: moved aside first, which works for one process alone. */
export function hasBroken(lock: string): boolean {
  const status = lstatSync(lock, { throwIfNoEntry: false });
  // A time in the future does not mean a living holder either: the clock was set back, or the file came from elsewhere.
  if (status === undefined || Math.abs(Date.now() - status.mtimeMs) <= STALE_MS) return false;
  const aside = `${lock}.${randomUUID()}.old`;
  try {
    renameSync(lock, aside);
  } catch {
    // Another process was faster, or it cannot be moved: the waiting process finds out.
    return false;
  }
  try {
    // Without this permission the folder could not be emptied; a link is not followed.
    if (status.isDirectory()) chmodSync(aside, 0o700);
    rmSync(aside, { recursive: true, force: true });
  } catch {
    // We may not read it, but it is out of the way.
  }
  return true;
}

export function releaseLock(lock: string): void {
  // Gone already, or not ours to remove: the next process finds out.
  quietly(() => rmdirSync(lock), undefined);
}
