import type { Health } from "../../measure/health.ts";
import type { Level } from "../../measure/level.ts";

/** How much of the window is left, in three steps: a second opinion next to the levels. */
export type RemainingLevel = "SAFE" | "WARNING" | "CRITICAL";

const SAFE_ABOVE = 35;
const CRITICAL_BELOW = 25;

/** More than 35 % left is SAFE and less than 25 % CRITICAL; 25 and 35 are WARNING. */
export function classifyRemaining(percentLeft: number): RemainingLevel {
  if (percentLeft > SAFE_ABOVE) return "SAFE";
  return percentLeft < CRITICAL_BELOW ? "CRITICAL" : "WARNING";
}

/** Which advice was given so far. Plain data: it is saved between two calls of a hook. */
export interface AdviceState {
  /** The level last reported; GREEN before the first report. */
  readonly saidLevel: Level;
  readonly saidRemaining: RemainingLevel;
  /** The tool call count at the last advisory below critical. */
  readonly quietAtCalls: number | undefined;
  /** The level at that advisory; absent before the first. */
  readonly quietLevel?: Level | undefined;
  readonly criticalAtCalls: number | undefined;
  /** A critical advisory was given, and every reading since was critical. */
  readonly isCriticalSaid: boolean;
  /** A save was confirmed, and no critical advisory has used it yet. */
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

/** The state for this reading. After a compaction everything may be said again, after the debounce. A lower call count means another conversation. */
export function settleState(state: AdviceState, { toolCalls, compactions }: Health): AdviceState {
  const lastCalls = Math.max(state.quietAtCalls ?? 0, state.criticalAtCalls ?? 0);
  if (toolCalls < lastCalls) return { ...emptyAdviceState, compactions };
  if (state.compactions === undefined) return { ...state, compactions };
  if (state.compactions === compactions) return state;
  return { ...state, saidLevel: "GREEN", saidRemaining: "SAFE", isCriticalSaid: false, isSaved: false, compactions };
}
