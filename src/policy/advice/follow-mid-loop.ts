import { toOneLine } from "../../core/clip-text.ts";
import type { Level } from "../../measure/level.ts";
import { CONTINUE_HERE_PATH, type LoopProgress } from "./continue-here.ts";

/** What the loop is told. Time comes in; nothing here knows a clock. */
export type LoopInput =
  | { readonly kind: "look"; readonly nowMs: number; readonly look: LoopLook }
  | { readonly kind: "flushed"; readonly what: Flush }
  | { readonly kind: "flushFailed"; readonly what: Flush }
  | { readonly kind: "compacted" };

export interface LoopLook {
  readonly level: Level;
  readonly progress: LoopProgress;
  /** A task is completed: its file is written and its tests pass. */
  readonly isAtBoundary: boolean;
  /** Numbers of the completed tasks. */
  readonly completedTasks: readonly number[];
  readonly planFile: string;
}

/** The project's state first, then the long-term memory. */
export type Flush = "state" | "memory";

/** What the loop orders, in order. Nothing here commits anything: that is the person's. */
export type LoopAction =
  | { readonly kind: "flush"; readonly what: Flush }
  | { readonly kind: "splitAndCompact" }
  | { readonly kind: "inject"; readonly text: string }
  /** Writes down where the work stands; without a reason it only renews what was written. */
  | { readonly kind: "pause"; readonly why: string }
  | { readonly kind: "deleteFile"; readonly path: string };

/** Plain data. It holds where the work stood when it was last looked at. */
export type LoopState =
  | { readonly kind: "idle" }
  /** Looked at, and not worth it. */
  | { readonly kind: "skipping" }
  | { readonly kind: "seeking"; readonly sinceMs: number; readonly look: LoopLook }
  | { readonly kind: "flushing"; readonly what: Flush; readonly look: LoopLook }
  | { readonly kind: "compacting"; readonly look: LoopLook }
  | { readonly kind: "paused"; readonly look: LoopLook };

export interface LoopStep {
  readonly state: LoopState;
  readonly actions: readonly LoopAction[];
}

/** How long a boundary is looked for before the work is paused instead. */
const SEEK_MS = 30_000;
/** With fewer tasks left the phase ends sooner than a compaction pays. */
const LEAST_REMAINING = 3;

/** Compaction in the middle of a phase: seek a boundary, flush, split, resume; or write down where we are and pause. */
export function followMidLoop(state: LoopState, input: LoopInput): LoopStep {
  switch (input.kind) {
    case "look":
      return followLook(state, input.nowMs, input.look);
    case "flushed":
      return followFlushed(state, input.what);
    case "flushFailed":
      // Unsaved decisions are worth more than room in the window: no compaction after a failed flush.
      return state.kind === "flushing" && state.what === input.what
        ? pause(state.look, `the ${input.what} could not be saved`)
        : stay(state);
    case "compacted":
      return followCompacted(state);
  }
}

/** Whether there is anything to look for now: to look means to collect what the session has come to. */
export function isLookDue(state: LoopState, now: { readonly nowMs: number; readonly isTaskCall: boolean }): boolean {
  switch (state.kind) {
    case "idle":
      return true;
    case "seeking":
      return now.isTaskCall || now.nowMs - state.sinceMs >= SEEK_MS || now.nowMs < state.sinceMs;
    default:
      return now.isTaskCall;
  }
}

/** Why a compaction in the middle of a phase is not worth it; `undefined` when it is. */
export function findSkip(level: Level, { remaining }: LoopProgress): string | undefined {
  if (level !== "RED") return `context is ${level}, not RED`;
  if (remaining.length < LEAST_REMAINING) return `fewer than ${LEAST_REMAINING} tasks remain in the phase`;
  return undefined;
}

const DELETE: LoopAction = { kind: "deleteFile", path: CONTINUE_HERE_PATH };

function followLook(state: LoopState, nowMs: number, look: LoopLook): LoopStep {
  // Where the work stands is kept up to date: it is what a compaction is followed by.
  if (state.kind === "compacting") return stay({ ...state, look });
  if (state.kind === "paused") return followPaused(state.look, look);
  if (state.kind === "flushing") return stay(state);
  if (findSkip(look.level, look.progress) !== undefined)
    return stay({ kind: look.level === "RED" ? "skipping" : "idle" });
  if (look.isAtBoundary) {
    return { state: { kind: "flushing", what: "state", look }, actions: [{ kind: "flush", what: "state" }] };
  }
  // A clock that was set back starts the wait anew rather than never ending it.
  const sinceMs = state.kind === "seeking" && state.sinceMs <= nowMs ? state.sinceMs : nowMs;
  if (nowMs - sinceMs < SEEK_MS) return stay({ kind: "seeking", sinceMs, look });
  return pause(look, `no clean boundary was found within ${SEEK_MS / 1000} seconds`);
}

/** A pause is renewed with every item, and at the next clean place becomes the compaction that it waited for: the save says more. */
function followPaused(before: LoopLook, look: LoopLook): LoopStep {
  if (look.isAtBoundary && findSkip(look.level, look.progress) === undefined)
    return { state: { kind: "flushing", what: "state", look }, actions: [DELETE, { kind: "flush", what: "state" }] };
  const isOvertaken = before.progress.remaining.join("\n") !== look.progress.remaining.join("\n");
  return { state: { kind: "paused", look }, actions: isOvertaken ? [{ kind: "pause", why: "" }] : [] };
}

function followFlushed(state: LoopState, what: Flush): LoopStep {
  if (state.kind !== "flushing" || state.what !== what) return stay(state);
  if (what === "state") return { state: { ...state, what: "memory" }, actions: [{ kind: "flush", what: "memory" }] };
  return { state: { kind: "compacting", look: state.look }, actions: [{ kind: "splitAndCompact" }] };
}

/** Whoever brought it about: what was in the middle of a list goes on there. */
function followCompacted(state: LoopState): LoopStep {
  if (state.kind === "idle" || state.kind === "skipping") return stay({ kind: "idle" });
  const resume: LoopAction = { kind: "inject", text: renderResumeLine(state.look) };
  return { state: { kind: "idle" }, actions: [resume, DELETE] };
}

function pause(look: LoopLook, why: string): LoopStep {
  return { state: { kind: "paused", look }, actions: [{ kind: "pause", why }] };
}

function stay(state: LoopState): LoopStep {
  return { state, actions: [] };
}

/** The line that brings a phase back after a compaction in its middle. Its format is a contract. */
export function renderResumeLine({
  progress,
  completedTasks,
  planFile,
}: Omit<LoopLook, "level" | "isAtBoundary">): string {
  const completed = completedTasks.length === 0 ? "none" : renderRanges(completedTasks);
  return `Resuming Phase ${toOneLine(progress.phase)}. Tasks [${completed}] complete. Currently on task ${progress.task}. Plan file: ${toOneLine(planFile)}`;
}

/** `1-3, 5`. */
function renderRanges(numbers: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const number of [...new Set(numbers)].sort((left, right) => left - right)) {
    const range = ranges.at(-1);
    if (range && number === range.last + 1) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(", ");
}
