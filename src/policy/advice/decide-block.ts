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
  readonly isSubagent: boolean;
  readonly nowMs: number;
}

export interface BlockOptions {
  /** Off by default. */
  readonly isEnabled?: boolean;
  /** The override through the environment; it beats `isEnabled`. */
  readonly isOverridden?: boolean;
  readonly maxRefusals?: number;
}

export interface BlockStep {
  readonly state: BlockState;
  readonly decision: { readonly isBlocked: boolean; readonly why: string };
}

const MAX_REFUSALS = 3;
const EXPIRES_AFTER_MS = 10 * 60_000;

/** Refuses at most `maxRefusals` calls between two compactions, and none after one that did not help. When in doubt the call passes. */
export function decideBlock(given: BlockState, question: BlockQuestion, options: BlockOptions = {}): BlockStep {
  const { maxRefusals = MAX_REFUSALS } = options;
  const state = followCompactions(given, question.health);
  const pass = findPass(state, question, options);
  if (pass !== undefined) return { state, decision: { isBlocked: false, why: pass } };
  const refusals = state.refusals + 1;
  return {
    state: { ...state, refusals, firstRefusalMs: state.firstRefusalMs ?? question.nowMs },
    decision: {
      isBlocked: true,
      why: `context usage is critical (measured): run /compact (refusal ${refusals} of ${maxRefusals}; after the last one, calls are allowed again)`,
    },
  };
}

/** RED by billed usage or by the client's own reading. A count of tool calls or an estimate does not confirm it. */
function isConfirmedRed(health: Health): boolean {
  const { level, confidence, usedTokens, profile, compactionPointTokens } = health;
  if (level !== "RED" || confidence !== "exact" || usedTokens === undefined) return false;
  return profile !== "calls" || classifyMeasured(usedTokens, compactionPointTokens) === "RED";
}

/** Why the call may pass; `undefined` if it may not. */
function findPass(state: BlockState, question: BlockQuestion, options: BlockOptions): string | undefined {
  const { maxRefusals = MAX_REFUSALS } = options;
  if (options.isEnabled !== true) return "blocking is not switched on";
  if (options.isOverridden === true) return "blocking is overridden";
  if (question.isSubagent) return "subagents are never blocked";
  if (question.purpose !== "other") return "saving and read-only calls are never blocked";
  if (!isConfirmedRed(question.health)) return "the level is not confirmed as RED";
  if (state.isAsleep) return "still RED after a compaction, so blocking again would cause a loop";
  if (!(state.refusals < maxRefusals)) return "the limit of refusals is reached";
  if (state.firstRefusalMs === undefined) return undefined;
  const elapsedMs = question.nowMs - state.firstRefusalMs;
  return elapsedMs >= 0 && elapsedMs < EXPIRES_AFTER_MS ? undefined : "the block has expired";
}

function followCompactions(state: BlockState, health: Health): BlockState {
  const { compactions } = health;
  if (state.compactions === undefined) return { ...state, compactions };
  if (state.compactions !== compactions) {
    return {
      refusals: 0,
      firstRefusalMs: undefined,
      compactions,
      isAsleep: health.level === "RED" || !isMeasured(health),
    };
  }
  return state.isAsleep && health.level !== "RED" && isMeasured(health) ? { ...state, isAsleep: false } : state;
}

function isMeasured({ confidence }: Health): boolean {
  return confidence === "exact";
}
