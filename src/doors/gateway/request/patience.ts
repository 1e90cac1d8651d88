/** How long to wait for what a store knows. */
export interface Patience {
  timeoutMs(): number;
  /** The store did not answer, or answered again. */
  note(isAnswered: boolean): void;
}

/**
 * A conversation that leaves without the decisions of its past loses its whole cached prefix, which costs the person seconds and
 * money, and again when they are known. A store that is away says so at once; one that is silent, because a table is locked, is waited
 * for once for as long as a backup or a migration takes, and like that once in ten seconds.
 */
export const PATIENT_MS = 15_000;
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
