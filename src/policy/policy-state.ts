import { isObject } from "../core/json.ts";
import type { Phase } from "../session/phase.ts";
import { type BlockState, emptyBlockState } from "./advice/decide-block.ts";
import type { LoopState } from "./advice/follow-mid-loop.ts";
import { emptyRedState, type RedState } from "./advice/follow-red.ts";
import { initialModeState, type ModeState } from "./mode/decide-mode-injection.ts";
import type { SaidLimits } from "./rules/rate-limits.ts";

/** What stands in the window because we put it there, so that nothing is told twice. */
export interface InjectionState {
  readonly mode: ModeState;
  readonly limits: SaidLimits;
  /** Hashes of the rules and of the project's state as they stand in the window; empty for none. */
  readonly rules: string;
  readonly state: string;
  /** Hash of the index of the project's memory as it is in the window; absent for none. */
  readonly memory?: string | undefined;
  /** Conventions that a change of a document broke, each with its document: said in this window. */
  readonly docs: readonly string[];
  /** The compactions of the session when the person was last told that their line is reached; absent before. */
  readonly line?: number | undefined;
  /** When this session was first seen; absent before. */
  readonly beganMs?: number | undefined;
  /** Hash of the pause of an earlier session that this one was told of; absent where there was none. */
  readonly paused?: string | undefined;
  /** The phase of the work at the end of the last turn; absent before the first. */
  readonly phase?: Phase | undefined;
  /** The person was told that an audit is worth it. */
  readonly audit?: boolean | undefined;
  /** Words to the person that wait for the next prompt, where a door has no other place that they see. */
  readonly waiting?: readonly string[] | undefined;
}

/** Everything that the policy remembers from one event to the next. Plain data: a door keeps it as it likes. */
export interface PolicyState {
  readonly told: InjectionState;
  /** What was advised about the load, and how tersely the model was asked to write. */
  readonly red: RedState;
  readonly block: BlockState;
  /** A list of work that meets a full window in its middle; absent where none does. */
  readonly loop?: LoopState | undefined;
}

export const NOTHING_TOLD: InjectionState = { mode: initialModeState, limits: {}, rules: "", state: "", docs: [] };

export const INITIAL_POLICY: PolicyState = { told: NOTHING_TOLD, red: emptyRedState, block: emptyBlockState };

/** Parts out of our own files; what is torn or of an older layout counts as never said. */
export function parsePolicy(told: unknown, red: unknown, block: unknown, loop?: unknown): PolicyState {
  return {
    told: isTold(told) ? { ...NOTHING_TOLD, ...told, docs: Array.isArray(told.docs) ? told.docs : [] } : NOTHING_TOLD,
    red: isRed(red) ? red : emptyRedState,
    block: isBlock(block) ? block : emptyBlockState,
    ...(isLoop(loop) ? { loop } : {}),
  };
}

function isTold(value: unknown): value is InjectionState {
  return (
    isObject(value) &&
    isObject(value.mode) &&
    isObject(value.limits) &&
    typeof value.rules === "string" &&
    typeof value.state === "string"
  );
}

function isRed(value: unknown): value is RedState {
  return isObject(value) && isObject(value.advice) && isObject(value.density);
}

function isBlock(value: unknown): value is BlockState {
  return isObject(value) && typeof value.refusals === "number" && typeof value.isAsleep === "boolean";
}

function isLoop(value: unknown): value is LoopState {
  return isObject(value) && typeof value.kind === "string" && (!("look" in value) || isObject(value.look));
}
