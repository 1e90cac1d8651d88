/** Planning took longer than it may: so long it is not tried again for this conversation. */
export interface Rest {
  readonly untilMs: number;
  readonly lengthMs: number;
}

/** A machine that was busy for a moment is back soon; a conversation that is too heavy to plan stays that. */
const FIRST_MS = 250;
const LONGEST_MS = 60_000;

/** A clock that was set back to before it began ends it: nobody rests for the hour that is gone through twice. */
export function isResting(rest: Rest | undefined, nowMs: number): boolean {
  return rest !== undefined && nowMs < rest.untilMs && nowMs >= rest.untilMs - rest.lengthMs;
}

/** Twice as long each time in a row. */
export function prolong(rest: Rest | undefined, nowMs: number): Rest {
  const lengthMs = rest ? Math.min(LONGEST_MS, rest.lengthMs * 2) : FIRST_MS;
  return { untilMs: nowMs + lengthMs, lengthMs };
}
