import { join } from "node:path";
import { isObject } from "../../core/json-fields.ts";
import { hasMade } from "../../files/private-files.ts";
import { hasBroken, releaseLock } from "../../files/with-lock.ts";
import { writeAtomically } from "../../files/write-file.ts";
import { emptyRedState, type RedState } from "../../policy/advice/follow-red.ts";
import { SESSION_FILES } from "../../policy/deeds/data-paths.ts";
import { readObject } from "./session-files.ts";

/** What was said so far, with the density that was asked for: a door that hears the person speak of density steps it here. */
export function readAdvice(folder: string): RedState {
  const saved: unknown = readObject(join(folder, SESSION_FILES.advice));
  return isRedState(saved) ? saved : emptyRedState;
}

export function writeAdvice(folder: string, state: RedState): void {
  writeAtomically(join(folder, SESSION_FILES.advice), JSON.stringify(state));
}

/**
 * Runs where nobody else does; nothing happens where somebody does. Of parallel calls one gives the advice, and what it
 * says need not be said again.
 */
export async function tryAlone<Value>(folder: string, run: () => Promise<Value>): Promise<Value | undefined> {
  const lock = join(folder, "advice.lock");
  if (!hasMade(lock)) {
    hasBroken(lock);
    return undefined;
  }
  try {
    return await run();
  } finally {
    releaseLock(lock);
  }
}

/** Our own file in a private folder. */
function isRedState(value: unknown): value is RedState {
  return isObject(value) && isObject(value.advice) && isObject(value.density);
}
