import { toOneLine } from "../../core/clip-text.ts";
import type { Level } from "../../measure/level.ts";
import { type LoopProgress, renderContinueHere } from "./continue-here.ts";

/** Inputs of the loop. The time is passed in; nothing here reads a clock. */
export type LoopInput =
  | { readonly kind: "look"; readonly nowMs: number; readonly look: LoopLook }
  | { readonly kind: "flushed"; readonly what: Flush; readonly isDone: boolean };

export interface LoopLook {
  readonly level: Level;
  readonly progress: LoopProgress;
  /** A task is complete: its file is written and its tests pass. */
  readonly isAtBoundary: boolean;
  readonly completedTasks: readonly number[];
  readonly planFile: string;
}

/** The project's state is flushed first, then the long-term memory. */
type Flush = "state" | "memory";

/** Plain data. Holds the progress of the work when it was last looked at. */
export type LoopState =
  | { readonly kind: "idle" }
  /** Looked at, and not worth a compaction. */
  | { readonly kind: "skipping" }
  | { readonly kind: "seeking"; readonly sinceMs: number; readonly look: LoopLook }
  | { readonly kind: "flushing"; readonly what: Flush; readonly look: LoopLook }
  | { readonly kind: "compacting"; readonly look: LoopLook }
  | { readonly kind: "paused"; readonly look: LoopLook };

/** What an entry point must do. The loop never commits: that is up to the user. */
export type LoopCommand =
  | { readonly kind: "save" }
  | { readonly kind: "remember"; readonly lessons: readonly string[] }
  /** Writes down how far the work is; an empty text clears it. Without a reason it only updates what was written. */
  | { readonly kind: "continueHere"; readonly text: string; readonly reason: string };

interface LoopStep {
  readonly state: LoopState;
  readonly commands: readonly LoopCommand[];
}

export const TAKEN_UP: LoopCommand = { kind: "continueHere", text: "", reason: "" };

/** How long to look for a boundary before pausing the work instead. */
const SEEK_MS = 30_000;
/** With fewer tasks left, the phase ends before a compaction pays off. */
const LEAST_REMAINING = 3;

/** Compacts in the middle of a phase: seeks a boundary, flushes, splits. If there is no boundary, it writes down the progress and pauses. */
export function followMidLoop(state: LoopState, input: LoopInput): LoopStep {
  if (input.kind === "look") return followLook(state, input.nowMs, input.look);
  if (state.kind !== "flushing" || state.what !== input.what) return stay(state);
  const { look, what } = state;
  // Unsaved decisions are worth more than room in the window, so there is no compaction after a failed flush.
  if (!input.isDone) return pause(look, `the ${what} could not be saved`);
  if (what === "memory") return stay({ kind: "compacting", look });
  return {
    state: { kind: "flushing", what: "memory", look },
    commands: [{ kind: "remember", lessons: look.progress.decisions }],
  };
}

/** Whether a look is due. A look is costly: it collects the session's state. */
export function isLookDue(state: LoopState, now: { readonly nowMs: number; readonly isTaskCall: boolean }): boolean {
  if (state.kind === "idle" || now.isTaskCall) return true;
  return state.kind === "seeking" && (now.nowMs - state.sinceMs >= SEEK_MS || now.nowMs < state.sinceMs);
}

/** Whether a compaction in the middle of a phase pays. */
function isWorthwhile({ level, progress }: LoopLook): boolean {
  return level === "RED" && progress.remaining.length >= LEAST_REMAINING;
}

function followLook(state: LoopState, nowMs: number, look: LoopLook): LoopStep {
  // Keep the progress current, because the work resumes from it after the compaction.
  if (state.kind === "compacting") return stay({ ...state, look });
  if (state.kind === "paused") return followPaused(state.look, look);
  if (state.kind === "flushing") return stay(state);
  if (!isWorthwhile(look)) return stay({ kind: look.level === "RED" ? "skipping" : "idle" });
  if (look.isAtBoundary) return flush(look);
  // If the clock was set back, restart the wait instead of waiting for ever.
  const sinceMs = state.kind === "seeking" && state.sinceMs <= nowMs ? state.sinceMs : nowMs;
  if (nowMs - sinceMs < SEEK_MS) return stay({ kind: "seeking", sinceMs, look });
  return pause(look, `no clean boundary was found within ${SEEK_MS / 1000} seconds`);
}

/** Updates the pause with every item. At the next clean place the compaction it waited for is made, because a save holds more. */
function followPaused(before: LoopLook, look: LoopLook): LoopStep {
  if (look.isAtBoundary && isWorthwhile(look)) return flush(look, [TAKEN_UP]);
  const isOvertaken = before.progress.remaining.join("\n") !== look.progress.remaining.join("\n");
  return isOvertaken ? pause(look, "") : stay({ kind: "paused", look });
}

function flush(look: LoopLook, first: readonly LoopCommand[] = []): LoopStep {
  return { state: { kind: "flushing", what: "state", look }, commands: [...first, { kind: "save" }] };
}

function pause(look: LoopLook, reason: string): LoopStep {
  const text = renderContinueHere(look.progress);
  return { state: { kind: "paused", look }, commands: [{ kind: "continueHere", text, reason }] };
}

function stay(state: LoopState): LoopStep {
  return { state, commands: [] };
}

/** The line that resumes a phase after a compaction in its middle. Its format is a contract. */
export function renderResumeLine(look: Pick<LoopLook, "progress" | "completedTasks" | "planFile">): string {
  const { progress, completedTasks, planFile } = look;
  const completed = completedTasks.length === 0 ? "none" : renderRanges(completedTasks);
  return `Resuming Phase ${toOneLine(progress.phase)}. Tasks [${completed}] complete. Currently on task ${progress.task}. Plan file: ${toOneLine(planFile)}`;
}

function renderRanges(numbers: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const number of [...new Set(numbers)].sort((left, right) => left - right)) {
    const range = ranges.at(-1);
    if (range && number === range.last + 1) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(", ");
}
