import { type JsonObject, numberField } from "../../core/json.ts";
import type { Health } from "../../measure/health.ts";
import type { Action } from "../../session/action.ts";

export interface ColdMoment {
  /** Percent of the way to the compaction point. Measured from usage, never guessed from characters. */
  readonly usedPercent: number | undefined;
  /** Tool calls so far. They limit the checks as long as the number of requests is unknown. */
  readonly calls: number;
  /** The call that just finished; absent at the end of a turn and before a compaction. */
  readonly action?: Action;
  /** The window is about to be emptied, so skipping this check would lose the cold tasks. */
  readonly isLast?: boolean;
}

/** The last check, whether it found anything or not. The fields have the pipeline's names; its turn is a request. */
export interface ColdState {
  readonly lastCheckTurn: number;
  readonly lastCheckCalls: number;
}

export const CHECK_FREQUENCY = 10;
/** Percent of the way to the compaction point, from which on finished tasks are written down. */
export const CONTEXT_THRESHOLD = 70;

/** Measured against the compaction line: a client that compacts early never reaches 70 % of the raw window. An unmeasured load is not guessed. */
export function measureColdMoment({ confidence, usedTokens, compactionPointTokens, toolCalls }: Health): ColdMoment {
  const isMeasured = confidence === "exact" && usedTokens !== undefined && compactionPointTokens > 0;
  return { usedPercent: isMeasured ? (usedTokens / compactionPointTokens) * 100 : undefined, calls: toolCalls };
}

/** Due after a call that changes something, above the threshold, and not before so many calls that enough requests may have passed. */
export function isColdLookDue(action: Action, { usedPercent, calls }: ColdMoment, state?: ColdState): boolean {
  if (usedPercent === undefined || usedPercent < CONTEXT_THRESHOLD || !isColdTrigger(action)) return false;
  const since = state === undefined ? CHECK_FREQUENCY : calls - state.lastCheckCalls;
  return since >= CHECK_FREQUENCY || since < 0;
}

/** A check may be due only after calls that change something. An entry point uses its host's names for them. */
export function isColdTrigger({ kind }: Action): boolean {
  return kind === "run" || kind === "write" || kind === "edit";
}

export function parseColdState(saved: JsonObject): ColdState {
  return {
    lastCheckTurn: numberField(saved, "lastCheckTurn") ?? 0,
    lastCheckCalls: numberField(saved, "lastCheckCalls") ?? 0,
  };
}

/** Every 10 requests from 70 % on, and before a compaction. Save `lastCheckTurn` after the work, so that a check that dies is repeated. */
export function decideColdRun(
  { lastCheckTurn }: Pick<ColdState, "lastCheckTurn">,
  request: number,
  { usedPercent = 0, isLast = false }: Pick<ColdMoment, "usedPercent" | "isLast">,
): { readonly isDue: boolean; readonly lastCheckTurn: number } {
  // A conversation that was rewound or restarted counts from its current request.
  const last = Math.min(lastCheckTurn, request);
  const isChecked = isLast || request - last >= CHECK_FREQUENCY;
  const isDue = isLast || (isChecked && usedPercent >= CONTEXT_THRESHOLD);
  return { isDue, lastCheckTurn: isChecked ? request : last };
}
