import { type JsonObject, numberField } from "../../core/json.ts";
import type { Health } from "../../measure/health.ts";
import type { Action } from "../../session/action.ts";

/** What is known of the session at this moment. */
export interface ColdMoment {
  /** Of the way to where the window is compacted. */
  readonly usedPercent: number | undefined;
  /** Tool calls so far: what a look is rationed by before anybody knows the number of requests. */
  readonly calls: number;
  /** The call after which is asked; absent at the end of a turn and before a compaction. */
  readonly action?: Action;
  /** The window is about to be emptied: there is no later look. */
  readonly isLast?: boolean;
}

export interface ColdState extends ColdRunState {
  readonly lastCheckCalls: number;
}

/**
 * By the line and not by the raw window: a client that is set to compact earlier, or a window of a million tokens, would be
 * compacted before 70 % of the window are ever reached. What is not measured is not guessed.
 */
export function measureColdMoment({ confidence, usedTokens, compactionPointTokens, toolCalls }: Health): ColdMoment {
  const isMeasured = confidence === "exact" && usedTokens !== undefined && compactionPointTokens > 0;
  return { usedPercent: isMeasured ? (usedTokens / compactionPointTokens) * 100 : undefined, calls: toolCalls };
}

/**
 * After a call that changes something, from the threshold on, and not before so many calls that as many requests may have
 * passed; whether so many have passed is asked only once the last look is known.
 */
export function isColdLookDue(action: Action, { usedPercent, calls }: ColdMoment, state?: ColdState): boolean {
  if (usedPercent === undefined || usedPercent < CONTEXT_THRESHOLD || !isColdTrigger(action)) return false;
  const since = state === undefined ? CHECK_FREQUENCY : calls - state.lastCheckCalls;
  return since >= CHECK_FREQUENCY || since < 0;
}

export function parseColdState(saved: JsonObject): ColdState {
  return {
    lastCheckTurn: numberField(saved, "lastCheckTurn") ?? 0,
    lastCheckCalls: numberField(saved, "lastCheckCalls") ?? 0,
  };
}

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

interface ColdRunReading {
  readonly request: number;
  /** Measured from usage, never guessed from characters; `undefined` where no source tells. */
  readonly usedPercent: number | undefined;
  /** The window is about to be emptied, whatever it holds: rationing a look now would lose what is cold. */
  readonly isLast?: boolean;
}

interface ColdRunDecision {
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
