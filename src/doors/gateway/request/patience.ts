import { setTimeout as pause } from "node:timers/promises";

/** How a store is asked that may be away. `undefined` where it did not answer in time. */
export interface Patience {
  /** Again and again, for as long as it is worth to wait. */
  ask<Value>(question: () => Promise<Value>, letGo?: (value: Value) => void): Promise<Value | undefined>;
  /** One that says that it is away is not asked again. */
  askOnce<Value>(question: () => Promise<Value>, letGo?: (value: Value) => void): Promise<Value | undefined>;
  timeoutMs(): number;
}

/**
 * A conversation that leaves without the decisions of its past loses its whole cached prefix, which costs the person seconds and
 * money, and again when they are known. A store that is away, or silent because a table is locked, is waited for for as long as a
 * restart, a backup or a migration takes, counted from when it was missed first, and then no more until it has answered again.
 */
export const PATIENT_MS = 15_000;
const IMPATIENT_MS = 25;
const AGAIN_MS = 200;

/** `isAway` says of an error that the store may be back in a moment. */
export function createPatience(nowMs: () => number, isAway: (error: unknown) => boolean = () => false): Patience {
  let missedMs: number | undefined;
  const timeoutMs = (): number =>
    missedMs === undefined ? PATIENT_MS : Math.max(IMPATIENT_MS, missedMs + PATIENT_MS - nowMs());
  const ask = async <Value>(
    question: () => Promise<Value>,
    { letGo, isOnce }: { readonly letGo: ((value: Value) => void) | undefined; readonly isOnce: boolean },
  ): Promise<Value | undefined> => {
    const beganMs = nowMs();
    for (const untilMs = beganMs + timeoutMs(); ; ) {
      const asked = question();
      try {
        const value = await within(Math.max(1, untilMs - nowMs()), asked);
        missedMs = undefined;
        return value;
      } catch (error) {
        // Got when nobody waits for it any more, it is let go at once.
        asked.then((value) => letGo?.(value)).catch(() => undefined);
        missedMs ??= beganMs;
        if (isOnce || !isAway(error) || nowMs() + AGAIN_MS >= untilMs) return undefined;
        await pause(AGAIN_MS);
      }
    }
  };
  return {
    ask: (question, letGo) => ask(question, { letGo, isOnce: false }),
    askOnce: (question, letGo) => ask(question, { letGo, isOnce: true }),
    timeoutMs,
  };
}

/** What was waited for did not come in time. */
export class TimeSpentError extends Error {
  override readonly name = "TimeSpentError";
}

/** Waits no longer than this. What comes later is for nobody. */
export function within<Value>(timeoutMs: number, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimeSpentError(`no answer within ${timeoutMs} ms`)), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
