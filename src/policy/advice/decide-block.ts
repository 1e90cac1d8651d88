import type { Health } from "../../measure/health.ts";
import { classifyMeasured } from "../../measure/level.ts";

/** What the block remembers between two tool calls. Plain data. */
export interface BlockState {
  /** Refusals since the last compaction. */
  readonly refusals: number;
  readonly firstRefusalMs: number | undefined;
  readonly compactions: number | undefined;
  /** After a compaction the block sleeps until a reading below RED, so a window that is heavy from the start never locks up. */
  readonly isAsleep: boolean;
}

export const emptyBlockState: BlockState = {
  refusals: 0,
  firstRefusalMs: undefined,
  compactions: undefined,
  isAsleep: false,
};

export interface BlockQuestion {
  readonly health: Health;
  /** Saving and looking stay allowed at any load. */
  readonly purpose: "save" | "look" | "other";
  /** The user's override through the environment. */
  readonly isOverridden: boolean;
  readonly nowMs: number;
}

const MAX_REFUSALS = 3;
const EXPIRES_AFTER_MS = 10 * 60_000;

/** Refuses at most three calls between two compactions, and none after one that did not help. `why` is absent if the call may pass, as it does in doubt. */
export function decideBlock(
  given: BlockState,
  question: BlockQuestion,
): { readonly state: BlockState; readonly why?: string } {
  const state = followCompactions(given, question.health);
  if (mayPass(state, question)) return { state };
  const refusals = state.refusals + 1;
  return {
    state: { ...state, refusals, firstRefusalMs: state.firstRefusalMs ?? question.nowMs },
    why: `context usage is critical (measured): run /compact (refusal ${refusals} of ${MAX_REFUSALS}; after the last one, calls are allowed again)`,
  };
}

/** RED by billed usage or by the client's own reading. A count of tool calls or an estimate does not confirm it. */
function isConfirmedRed(health: Health): boolean {
  const { level, confidence, usedTokens, profile, compactionPointTokens } = health;
  if (level !== "RED" || confidence !== "exact" || usedTokens === undefined) return false;
  return profile !== "calls" || classifyMeasured(usedTokens, compactionPointTokens) === "RED";
}

function mayPass(state: BlockState, { health, purpose, isOverridden, nowMs }: BlockQuestion): boolean {
  if (isOverridden || purpose !== "other" || !isConfirmedRed(health)) return true;
  if (state.isAsleep || state.refusals >= MAX_REFUSALS) return true;
  if (state.firstRefusalMs === undefined) return false;
  const elapsedMs = nowMs - state.firstRefusalMs;
  return !(elapsedMs >= 0 && elapsedMs < EXPIRES_AFTER_MS);
}

function followCompactions(state: BlockState, { level, confidence, compactions }: Health): BlockState {
  if (state.compactions === undefined) return { ...state, compactions };
  const isBelowRed = level !== "RED" && confidence === "exact";
  if (state.compactions !== compactions) return { ...emptyBlockState, compactions, isAsleep: !isBelowRed };
  return state.isAsleep && isBelowRed ? { ...state, isAsleep: false } : state;
}
