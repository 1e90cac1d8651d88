import { isObject } from "../core/json.ts";
import type { Health } from "../measure/health.ts";
import type { Level } from "../measure/level.ts";
import type { Phase } from "../session/phase.ts";
import type { LoopProgress } from "./advice/continue-here.ts";
import { type BlockState, emptyBlockState } from "./advice/decide-block.ts";
import { type DensityState, initialDensityState } from "./density/density-state.ts";
import { initialModeState, type ModeState } from "./mode/decide-mode-injection.ts";
import type { SaidLimits } from "./rules/rate-limits.ts";

/** What we have put into the window, so that nothing is said twice. */
export interface InjectionState {
  readonly mode: ModeState;
  readonly limits: SaidLimits;
  /** Hashes of the rules and of the project's state that are in the window; empty for none. */
  readonly rules: string;
  readonly state: string;
  /** Hash of the memory index that is in the window; absent for none. */
  readonly memory?: string | undefined;
  /** Broken conventions that were already reported in this window, each with its document. */
  readonly docs: readonly string[];
  /** The session's compaction count when the user was last told that their line is reached. */
  readonly line?: number | undefined;
  readonly beganMs?: number | undefined;
  /** Hash of an earlier session's pause that this session was told about; absent if there was none. */
  readonly paused?: string | undefined;
  /** The phase of the work at the end of the last turn. */
  readonly phase?: Phase | undefined;
  readonly audit?: boolean | undefined;
  /** Messages to the user that wait for the next prompt, for entry points that cannot show them earlier. */
  readonly waiting?: readonly string[] | undefined;
  /** What the user marked to be kept whole across compactions, until they lift it; absent for nothing. */
  readonly kept?: readonly string[] | undefined;
  /** Calls whose results the user chose to keep whole in every window, and to have taken out at the next compaction. */
  readonly keptCalls?: readonly string[] | undefined;
  readonly forgottenCalls?: readonly string[] | undefined;
}

/** How much of the window is left, in three steps: a second opinion next to the levels. */
export type RemainingLevel = "SAFE" | "WARNING" | "CRITICAL";

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
  readonly compactions: number | undefined;
}

/** Plain data. */
export interface RedState {
  readonly advice: AdviceState;
  readonly density: DensityState;
  readonly health: Health | undefined;
  /** The tool call count at which a save was requested that has not been confirmed. */
  readonly askedAtCalls: number | undefined;
}

export interface LoopLook {
  readonly level: Level;
  readonly progress: LoopProgress;
  /** A task is complete: its file is written and its tests pass. */
  readonly isAtBoundary: boolean;
  readonly completedTasks: readonly number[];
  readonly planFile: string;
}

/** Plain data. Holds the progress of the work when it was last looked at. */
export type LoopState =
  | { readonly kind: "idle" }
  /** Looked at, and not worth a compaction. */
  | { readonly kind: "skipping" }
  | { readonly kind: "seeking"; readonly sinceMs: number; readonly look: LoopLook }
  /** The project's state is flushed first, then the long-term memory. */
  | { readonly kind: "flushing"; readonly what: "state" | "memory"; readonly look: LoopLook }
  | { readonly kind: "compacting"; readonly look: LoopLook }
  | { readonly kind: "paused"; readonly look: LoopLook };

/** Everything that the policy remembers between events. Plain data; each entry point stores it in its own way. */
export interface PolicyState {
  readonly told: InjectionState;
  /** Which advice on the load was given, and how tersely the model was asked to write. */
  readonly red: RedState;
  readonly block: BlockState;
  /** A list of work during which the window filled up; absent if there is none. */
  readonly loop?: LoopState | undefined;
}

export const NOTHING_SAID: InjectionState = { mode: initialModeState, limits: {}, rules: "", state: "", docs: [] };

export const NOTHING_ADVISED = { saidLevel: "GREEN", saidRemaining: "SAFE", isCriticalSaid: false } as const;

export const emptyRedState: RedState = {
  advice: { ...NOTHING_ADVISED, quietAtCalls: undefined, criticalAtCalls: undefined, compactions: undefined },
  density: initialDensityState,
  health: undefined,
  askedAtCalls: undefined,
};

export const INITIAL_POLICY: PolicyState = { told: NOTHING_SAID, red: emptyRedState, block: emptyBlockState };

/** Parses the state from our own files. A torn part, or one of an older layout, counts as never said. */
export function parsePolicy(injected: unknown, red: unknown, block: unknown, loop?: unknown): PolicyState {
  return {
    told: isInjectionState(injected)
      ? { ...NOTHING_SAID, ...injected, docs: Array.isArray(injected.docs) ? injected.docs : [] }
      : NOTHING_SAID,
    red: isRed(red) ? red : emptyRedState,
    block: isBlock(block) ? block : emptyBlockState,
    ...(isLoop(loop) ? { loop } : {}),
  };
}

function isInjectionState(value: unknown): value is InjectionState {
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
