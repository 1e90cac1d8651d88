import { type JsonObject, numberField } from "../../core/json.ts";
import type { Health } from "../../measure/health.ts";
import type { Action } from "../../session/action.ts";

export interface ColdMoment {
  /** Percent of the way to the compaction point. */
  readonly usedPercent: number | undefined;
  /** Tool calls so far. They limit the checks as long as the number of requests is unknown. */
  readonly calls: number;
  /** The call that just finished; absent at the end of a turn and before a compaction. */
  readonly action?: Action;
  /** The window is about to be emptied, so there is no later check. */
  readonly isLast?: boolean;
}

export interface ColdState extends ColdRunState {
  readonly lastCheckCalls: number;
}

/**
 * Measures against the compaction line, not the raw window: a client that compacts earlier, or a window of a million tokens, would be
 * compacted before 70 % of the window is reached. An unmeasured load is not guessed.
 */
export function measureColdMoment({ confidence, usedTokens, compactionPointTokens, toolCalls }: Health): ColdMoment {
  const isMeasured = confidence === "exact" && usedTokens !== undefined && compactionPointTokens > 0;
  return { usedPercent: isMeasured ? (usedTokens / compactionPointTokens) * 100 : undefined, calls: toolCalls };
}

/**
 * Due after a call that changes something, above the threshold, and not before so many calls that enough requests may have passed. The
 * exact number of requests is checked only once the last check is known.
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

export const CHECK_FREQUENCY = 10;
/** Percent of the way to the compaction point, from which on finished tasks are written down. */
export const CONTEXT_THRESHOLD = 70;

/** A check may be due only after calls that change something. An entry point uses its host's names for them. */
const LOOKS_AFTER: ReadonlySet<Action["kind"]> = new Set(["run", "write", "edit"]);

export function isColdTrigger(action: Action): boolean {
  return LOOKS_AFTER.has(action.kind);
}

export interface ColdRunState {
  /** The request of the last check, whether it found anything or not. The field has the pipeline's name; its turn is a request. */
  readonly lastCheckTurn: number;
}

interface ColdRunReading {
  readonly request: number;
  /** Measured from usage, never guessed from characters; `undefined` if unknown. */
  readonly usedPercent: number | undefined;
  /** The window is about to be emptied, so skipping this check would lose the cold tasks. */
  readonly isLast?: boolean;
}

interface ColdRunDecision {
  readonly action: "skip" | "look";
  readonly why: string;
  /** Save this after the work, not before, so that a check that dies is repeated. */
  readonly next: ColdRunState;
}

/** Whether to look for cold tasks: every 10 requests from 70 % on, and before a compaction. */
export function decideColdRun(
  state: ColdRunState | undefined,
  { request, usedPercent, isLast = false }: ColdRunReading,
): ColdRunDecision {
  const last = state?.lastCheckTurn ?? 0;
  // A conversation that was rewound or restarted counts from its current request.
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
