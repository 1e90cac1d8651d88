import type { Action } from "../../session/action.ts";

/** Assistant turns between two looks for cold tasks. */
export const CHECK_FREQUENCY = 10;
/** Share of the window in use, in percent, from which on finished tasks are written down. */
export const CONTEXT_THRESHOLD = 70;

/** The calls after which a look may be due: those that change something. A door stands on its host's names for them. */
const LOOKS_AFTER: ReadonlySet<Action["kind"]> = new Set(["run", "write", "edit"]);

export function isColdTrigger(action: Action): boolean {
  return LOOKS_AFTER.has(action.kind);
}

/** What is saved between two looks, per session. */
export interface ColdRunState {
  /** The turn of the last look, whether it found anything or not. */
  readonly lastCheckTurn: number;
}

export interface ColdRunReading {
  readonly turn: number;
  /** Measured from usage, never guessed from characters; `undefined` where no source tells. */
  readonly usedPercent: number | undefined;
}

export interface ColdRunDecision {
  readonly action: "skip" | "look";
  readonly why: string;
  /** To be saved after the work, not before: a look that dies is made again. */
  readonly next: ColdRunState;
}

/** Whether it is time to look for cold tasks: every 10 turns, from 70 % on. */
export function decideColdRun(state: ColdRunState | undefined, { turn, usedPercent }: ColdRunReading): ColdRunDecision {
  const last = state?.lastCheckTurn ?? 0;
  // A conversation that was rewound or started over counts from where it is.
  const known: ColdRunState = { lastCheckTurn: Math.min(last, turn) };
  const since = turn - known.lastCheckTurn;
  if (since < CHECK_FREQUENCY) return { action: "skip", why: `${since} of ${CHECK_FREQUENCY} turns`, next: known };
  const next: ColdRunState = { lastCheckTurn: turn };
  if (usedPercent === undefined) return { action: "skip", why: "the load is not known", next };
  if (usedPercent < CONTEXT_THRESHOLD)
    return { action: "skip", why: `${usedPercent} % is below ${CONTEXT_THRESHOLD} %`, next };
  return { action: "look", why: `${usedPercent} % after ${since} turns`, next };
}
