import type { JsonObject } from "../../core/json.ts";
import { numberField } from "../../core/json-fields.ts";
import type { Action } from "../../session/action.ts";
import { CHECK_FREQUENCY, CONTEXT_THRESHOLD, type ColdRunState, isColdTrigger } from "./decide-cold-run.ts";

/** What is known of the session at this moment. */
export interface ColdMoment {
  readonly usedPercent: number | undefined;
  /** Tool calls so far: what a look is rationed by before anybody knows the number of requests. */
  readonly calls: number;
}

export interface ColdState extends ColdRunState {
  readonly lastCheckCalls: number;
}

/** After a call that changes something, from the threshold on, and not before so many calls that as many requests may have passed. */
export function isColdLookDue(action: Action, { usedPercent, calls }: ColdMoment, state: () => ColdState): boolean {
  if (usedPercent === undefined || usedPercent < CONTEXT_THRESHOLD || !isColdTrigger(action)) return false;
  const since = calls - state().lastCheckCalls;
  return since >= CHECK_FREQUENCY || since < 0;
}

export function parseColdState(saved: JsonObject): ColdState {
  return {
    lastCheckTurn: numberField(saved, "lastCheckTurn") ?? 0,
    lastCheckCalls: numberField(saved, "lastCheckCalls") ?? 0,
  };
}
