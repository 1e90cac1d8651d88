/** How long to wait for what a store knows. */
export interface Patience {
  timeoutMs(): number;
  /** The store did not answer, or answered again. */
  note(isAnswered: boolean): void;
}

/**
 * A conversation that leaves without the decisions of its past loses its whole cached prefix, which costs the person seconds and
 * money: worth half a second of waiting. A store that is away is waited for like that once in ten seconds.
 */
const PATIENT_MS = 500;
const IMPATIENT_MS = 25;
const AWAY_MS = 10_000;

export function createPatience(nowMs: () => number): Patience {
  let awayUntilMs = 0;
  return {
    timeoutMs: () => (nowMs() < awayUntilMs ? IMPATIENT_MS : PATIENT_MS),
    note(isAnswered) {
      awayUntilMs = isAnswered ? 0 : nowMs() + AWAY_MS;
    },
  };
}
