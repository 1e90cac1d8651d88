/** Asks a store that may be away. `undefined` if it did not answer in time. */
export interface Patience {
  /** Retries for as long as waiting is worth it. */
  ask<Value>(question: () => Promise<Value>, letGo?: (value: Value) => void): Promise<Value | undefined>;
  /** Does not retry if the store says that it is away. */
  askOnce<Value>(question: () => Promise<Value>, letGo?: (value: Value) => void): Promise<Value | undefined>;
}

/**
 * A conversation that is sent without its past decisions loses its cached prefix, and again once they are known. A store that is away, or
 * blocked by a locked table, is therefore waited for, but no longer than a person takes for a slow answer. This counts from the first
 * miss, for all requests together; after it there is no waiting until the store has answered again.
 */
export const PATIENT_MS = 1_500;
const IMPATIENT_MS = 25;
const AGAIN_MS = 200;

/** `isAway` says whether an error means that the store may be back in a moment. */
export function createPatience(nowMs: () => number, isAway: (error: unknown) => boolean = () => false): Patience {
  let missedMs: number | undefined;
  const timeoutMs = (): number =>
    missedMs === undefined ? PATIENT_MS : Math.max(IMPATIENT_MS, missedMs + PATIENT_MS - nowMs());
  const askFor = async <Value>(
    isOnce: boolean,
    question: () => Promise<Value>,
    letGo?: (value: Value) => void,
  ): Promise<Value | undefined> => {
    const beganMs = nowMs();
    for (const untilMs = beganMs + timeoutMs(); ; ) {
      const asked = question();
      try {
        const value = await within(Math.max(1, untilMs - nowMs()), asked);
        missedMs = undefined;
        return value;
      } catch (error) {
        missedMs ??= beganMs;
        // A value that comes too late is let go at once, and says that the store is back.
        const late = (value: Value): void => {
          missedMs = undefined;
          letGo?.(value);
        };
        asked.then(late).catch(() => undefined);
        if (isOnce || !isAway(error) || nowMs() + AGAIN_MS >= untilMs) return undefined;
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  };
  return {
    ask: (...asked) => askFor(false, ...asked),
    askOnce: (...asked) => askFor(true, ...asked),
  };
}

export class TimeSpentError extends Error {
  override readonly name = "TimeSpentError";
}

/** Rejects after this time; a later result is dropped. */
export function within<Value>(timeoutMs: number, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimeSpentError(`no answer within ${timeoutMs} ms`)), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
