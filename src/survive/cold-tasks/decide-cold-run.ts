import type { Action } from "../../session/action.ts";

/** Requests between two looks for cold tasks. */
export const CHECK_FREQUENCY = 10;
/** Percent of the way to where the window is compacted, from which on finished tasks are written down. */
export const CONTEXT_THRESHOLD = 70;

/** The calls after which a look may be due: those that change something. A door stands on its host's names for them. */
const LOOKS_AFTER: ReadonlySet<Action["kind"]> = new Set(["run", "write", "edit"]);

export function isColdTrigger(action: Action): boolean {
  return LOOKS_AFTER.has(action.kind);
}

/** What is saved between two looks, per session. */
export interface ColdRunState {
  /** The request of the last look, whether it found anything or not; the field is named as the pipeline names it, whose turn is a request. */
  readonly lastCheckTurn: number;
}

export interface ColdRunReading {
  readonly request: number;
  /** Measured from usage, never guessed from characters; `undefined` where no source tells. */
  readonly usedPercent: number | undefined;
  /** The window is about to be emptied, whatever it holds: rationing a look now would lose what is cold. */
  readonly isLast?: boolean;
}

export interface ColdRunDecision {
  readonly action: "skip" | "look";
  readonly why: string;
  /** To be saved after the work, not before: a look that dies is made again. */
  readonly next: ColdRunState;
}

/** Whether it is time to look for cold tasks: every 10 requests from 70 % on, and before a compaction. */
export function decideColdRun(
  state: ColdRunState | undefined,
  { request, usedPercent, isLast = false }: ColdRunReading,
): ColdRunDecision {
  const last = state?.lastCheckTurn ?? 0;
  // A conversation that was rewound or started over counts from where it is.
  const known: ColdRunState = { lastCheckTurn: Math.min(last, request) };
  const since = request - known.lastCheckTurn;
  if (isLast) return { action: "look", why: "the window is about to be emptied", next: { lastCheckTurn: request } };
  if (since < CHECK_FREQUENCY) return { action: "skip", why: `${since} of ${CHECK_FREQUENCY} requests`, next: known };
  const next: ColdRunState = { lastCheckTurn: request };
  if (usedPercent === undefined) return { action: "skip", why: "the load is not known", next };
  if (usedPercent < CONTEXT_THRESHOLD)
    return { action: "skip", why: `${usedPercent} % is below ${CONTEXT_THRESHOLD} %`, next };
  return { action: "look", why: `${usedPercent} % after ${since} requests`, next };
}
