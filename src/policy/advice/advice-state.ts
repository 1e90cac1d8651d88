import type { Health } from "../../measure/health.ts";
import type { Level } from "../../measure/level.ts";

/** How much of the window is left, in three steps: a second opinion beside the levels. */
export type RemainingLevel = "SAFE" | "WARNING" | "CRITICAL";

const SAFE_ABOVE = 35;
const CRITICAL_BELOW = 25;

/** More than 35 % left is safe, less than 25 % critical; both ends of the band between them belong to it. */
export function classifyRemaining(percentLeft: number): RemainingLevel {
  if (percentLeft > SAFE_ABOVE) return "SAFE";
  return percentLeft < CRITICAL_BELOW ? "CRITICAL" : "WARNING";
}

/** What was said so far, as plain data: it is saved between two calls of a hook. */
export interface AdviceState {
  /** The level last spoken of; GREEN while nothing was said. */
  readonly saidLevel: Level;
  readonly saidRemaining: RemainingLevel;
  /** The count of tool calls at the last advisory short of critical. */
  readonly quietAtCalls: number | undefined;
  /** The level at that advisory; absent before the first. */
  readonly quietLevel?: Level | undefined;
  readonly criticalAtCalls: number | undefined;
  /** A critical advisory was given, and no reading since was short of critical. */
  readonly isCriticalSaid: boolean;
  /** A save was confirmed and no critical advisory has used it yet. */
  readonly isSaved: boolean;
  readonly compactions: number | undefined;
}

export const emptyAdviceState: AdviceState = {
  saidLevel: "GREEN",
  saidRemaining: "SAFE",
  quietAtCalls: undefined,
  criticalAtCalls: undefined,
  isCriticalSaid: false,
  isSaved: false,
  compactions: undefined,
};

/**
 * The state as it holds for this reading. After a compaction everything may be said again, but not sooner than the debounce
 * allows; a count of calls that went down is another conversation.
 */
export function settleState(state: AdviceState, { toolCalls, compactions }: Health): AdviceState {
  const lastCalls = Math.max(state.quietAtCalls ?? 0, state.criticalAtCalls ?? 0);
  if (toolCalls < lastCalls) return { ...emptyAdviceState, compactions };
  if (state.compactions === undefined) return { ...state, compactions };
  if (state.compactions === compactions) return state;
  return { ...state, saidLevel: "GREEN", saidRemaining: "SAFE", isCriticalSaid: false, isSaved: false, compactions };
}
