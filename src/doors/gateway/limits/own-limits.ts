import type { Entered, LimitedUser, Refused } from "./limited-user.ts";

/** What one instance has counted by itself. */
export interface OwnLimits {
  enter(user: LimitedUser): Refused | OwnEntered;
}

export interface OwnEntered extends Entered {
  /** Refused elsewhere: it was none. */
  undo(): void;
}

const MINUTE_MS = 60_000;

/**
 * A bucket that fills by the minute for each user, and a count of what is under way. `clockMs` is best one that only goes
 * forward; one that is set back fills nothing and takes nothing away.
 */
export function createOwnLimits(clockMs: () => number): OwnLimits {
  const states = new Map<string, { left: number; atMs: number; active: number }>();
  return {
    enter({ name, requestsPerMinute, concurrent }) {
      const nowMs = clockMs();
      const state = states.get(name) ?? { left: requestsPerMinute, atMs: nowMs, active: 0 };
      states.set(name, state);
      const refill = (Math.max(0, nowMs - state.atMs) * requestsPerMinute) / MINUTE_MS;
      state.left = Math.min(requestsPerMinute, state.left + refill);
      state.atMs = nowMs;
      if (state.active >= concurrent) return { kind: "refused", why: "places", retryAfterSeconds: 1 };
      if (state.left < 1) {
        const retryAfterSeconds = Math.ceil(((1 - state.left) * MINUTE_MS) / requestsPerMinute / 1000);
        return { kind: "refused", why: "requests", retryAfterSeconds };
      }
      state.left--;
      state.active++;
      let isIn = true;
      const leave = (): void => {
        if (isIn) state.active--;
        isIn = false;
      };
      const undo = (): void => {
        if (isIn) state.left++;
        leave();
      };
      return { kind: "entered", leave, undo };
    },
  };
}
