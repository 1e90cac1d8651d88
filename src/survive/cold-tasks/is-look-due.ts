import type { JsonObject } from "../../core/json.ts";
import { numberField } from "../../core/json-fields.ts";
import type { Health } from "../../measure/health.ts";
import type { Action } from "../../session/action.ts";
import { CHECK_FREQUENCY, CONTEXT_THRESHOLD, type ColdRunState, isColdTrigger } from "./decide-cold-run.ts";

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
