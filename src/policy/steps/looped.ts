import { clipLine, toOneLine } from "../../core/clip-text.ts";
import type { Health } from "../../measure/health.ts";
import type { Action } from "../../session/action.ts";
import type { SessionState } from "../../session/session.ts";
import type { WorkItem } from "../../session/track-work.ts";
import { findContinuation, type Happened } from "../../survive/record/continuation.ts";
import { CONTINUE_HERE_PATH, renderContinueHere } from "../advice/continue-here.ts";
import { chain, type PolicyCommand, type PolicyStep, stay } from "../command.ts";
import { due, sayDue } from "../injection/compose-injections.ts";
import type { LoopLook, LoopState, PolicyState } from "../policy-state.ts";
import type { Settings } from "../settings/settings.ts";

const IDLE: LoopState = { kind: "idle" };
const TAKEN_UP: PolicyCommand = { kind: "continueHere", text: "", reason: "" };
/** How long to look for a boundary before pausing the work instead. */
const SEEK_MS = 30_000;
/** With fewer tasks left, the phase ends before a compaction pays off. */
const LEAST_REMAINING = 3;
const TASK_CALLS: readonly Action["kind"][] = ["createTask", "updateTask", "replaceTodos", "listTasks"];

export interface LoopMoment {
  readonly health: Health;
  readonly action: Action;
  readonly nowMs: number;
}

/** Whether an entry point must collect the input of `looped`. That is rare, and finding out costs nothing. */
export function isLoopDue({ loop = IDLE }: PolicyState, moment: LoopMoment, settings: Settings): boolean {
  const { health, action, nowMs } = moment;
  if (!settings.hasAdvisories) return false;
  if (health.level !== "RED") return loop.kind === "seeking" || loop.kind === "skipping" || loop.kind === "paused";
  if (loop.kind === "idle" || TASK_CALLS.includes(action.kind)) return true;
  return loop.kind === "seeking" && (nowMs - loop.sinceMs >= SEEK_MS || nowMs < loop.sinceMs);
}

export interface Looped extends LoopMoment {
  readonly happened: Happened | undefined;
  /** Path of the current plan; empty if there is none. */
  readonly plan: string;
  readonly model: () => string;
}

/** The window fills up during a list of work: finish the item, save, compact, go on. If no item is finished in time, write the progress down. */
export function looped(state: PolicyState, event: Looped): PolicyStep {
  const { health, happened, nowMs, plan, model } = event;
  const { loop = IDLE } = state;
  const found = happened && describeLoop(happened, plan === "" ? "none" : plan);
  if (found === undefined)
    return { state: { ...state, loop: { kind: "skipping" } }, commands: loop.kind === "paused" ? [TAKEN_UP] : [] };
  const look = { ...found, progress: { ...found.progress, writtenMs: nowMs }, level: health.level };
  const step = followLook(state, nowMs, look);
  if (loop.kind === "seeking" || step.state.loop?.kind !== "seeking") return step;
  const seek = `The window is nearly full in the middle of a task list. Finish ${nameTask(look)}, then run /compact before the next task.`;
  return say(step.state, seek, model);
}

/** What the state of a list requires: seek a boundary, flush there, or write the progress down and pause. Nothing is ever committed. */
export function followLook(state: PolicyState, nowMs: number, look: LoopLook): PolicyStep {
  const { loop = IDLE } = state;
  const become = (next: LoopState): PolicyStep => stay({ ...state, loop: next });
  // Keep the progress current, because the work resumes from it after the compaction.
  if (loop.kind === "compacting") return become({ ...loop, look });
  if (loop.kind === "flushing") return stay(state);
  const isWorthwhile = look.level === "RED" && look.progress.remaining.length >= LEAST_REMAINING;
  if (isWorthwhile && look.isAtBoundary) {
    // At the next clean place the compaction that a pause waited for is made, because a save holds more.
    const first = loop.kind === "paused" ? [TAKEN_UP] : [];
    return {
      state: { ...state, loop: { kind: "flushing", what: "state", look } },
      commands: [...first, { kind: "save" }],
    };
  }
  if (loop.kind === "paused") {
    // The pause is updated with every item.
    const isOvertaken = loop.look.progress.remaining.join("\n") !== look.progress.remaining.join("\n");
    return isOvertaken ? pause(state, look, "") : become({ kind: "paused", look });
  }
  if (!isWorthwhile) return become({ kind: look.level === "RED" ? "skipping" : "idle" });
  // If the clock was set back, restart the wait instead of waiting for ever.
  const sinceMs = loop.kind === "seeking" && loop.sinceMs <= nowMs ? loop.sinceMs : nowMs;
  if (nowMs - sinceMs < SEEK_MS) return become({ kind: "seeking", sinceMs, look });
  return pause(state, look, `no clean boundary was found within ${SEEK_MS / 1000} seconds`);
}

/** Without a reason it only updates what was written. */
function pause(state: PolicyState, look: LoopLook, reason: string): PolicyStep {
  const text = renderContinueHere(look.progress);
  return { state: { ...state, loop: { kind: "paused", look } }, commands: [{ kind: "continueHere", text, reason }] };
}

/** If a flush failed, the window stays as it is: unsaved decisions are worth more than room in it. */
export function loopSaved(state: PolicyState, why: string | undefined): PolicyStep {
  const { loop } = state;
  if (loop?.kind !== "flushing" || loop.what !== "state") return stay(state);
  const { look } = loop;
  if (why !== undefined) return pause(state, look, "the state could not be saved");
  return {
    state: { ...state, loop: { kind: "flushing", what: "memory", look } },
    commands: [{ kind: "remember", lessons: look.progress.decisions }],
  };
}

export interface Remembered {
  readonly why: string | undefined;
  readonly model: () => string;
  /** The entry point can compact, and the user wants it to; otherwise compacting is only advised. */
  readonly canCompact: boolean;
}

/** The long-term memory has stored the decisions, or `why` says why not. */
export function remembered(state: PolicyState, { why, model, canCompact }: Remembered): PolicyStep {
  const { loop } = state;
  if (loop?.kind !== "flushing" || loop.what !== "memory") return stay(state);
  const { look } = loop;
  if (why !== undefined) return pause(state, look, "the memory could not be saved");
  const next: PolicyState = { ...state, loop: { kind: "compacting", look } };
  const done = `${look.completedTasks.length} of ${look.progress.tasks} tasks are finished and saved`;
  if (canCompact)
    return { state: next, commands: [{ kind: "compact", why: `the window is nearly full, and ${done}` }] };
  return sayBoth(next, `This is a safe point to compact: ${done}. Run /compact before ${nameTask(look)}.`, model);
}

/** The progress is written down, or `why` says why not. Only then may the model be told that it is. */
export function pauseLeft(
  state: PolicyState,
  { reason, why, model }: { readonly reason: string; readonly why: string | undefined; readonly model: () => string },
): PolicyStep {
  const look = state.loop !== undefined && "look" in state.loop ? state.loop.look : undefined;
  if (look === undefined || reason === "") return stay(state);
  const where =
    why === undefined
      ? `The state of the work is saved in ${CONTINUE_HERE_PATH}`
      : `The state of the work could not be saved (${why}), so write down what matters`;
  return sayBoth(
    state,
    `Pause after this step: ${reason}. ${where}; continue with ${nameTask(look)} after /compact.`,
    model,
  );
}

/** After any compaction a list that was in progress is resumed: the line that does it, and a step that clears what is over. */
export function loopResumed(state: PolicyState): { readonly line: string; readonly step: PolicyStep } {
  const { loop } = state;
  if (loop === undefined) return { line: "", step: stay(state) };
  const next = { ...state, loop: IDLE };
  if (!("look" in loop)) return { line: "", step: stay(next) };
  return { line: renderResumeLine(loop.look), step: { state: next, commands: [TAKEN_UP] } };
}

/** The line that resumes a phase after a compaction in its middle. Its format is a contract. */
export function renderResumeLine(look: Pick<LoopLook, "progress" | "completedTasks" | "planFile">): string {
  const { progress, completedTasks, planFile } = look;
  const completed = completedTasks.length === 0 ? "none" : renderRanges(completedTasks);
  const phase = progress.phase === UNKNOWN_PHASE ? "" : ` Phase ${toOneLine(progress.phase)}`;
  return `Resuming${phase}. Tasks [${completed}] complete. Currently on task ${progress.task}. Plan file: ${toOneLine(planFile)}`;
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

function say(state: PolicyState, text: string, model: () => string): PolicyStep {
  return sayDue(state, [due("advisory", "in the middle of a list", text)], model);
}

/** Something that only the user can do is also shown on their screen. */
function sayBoth(state: PolicyState, text: string, model: () => string): PolicyStep {
  return chain(say(state, text, model), (next) => ({ state: next, commands: [{ kind: "warn", text }] }));
}

const MAX_SUBJECT_CHARACTERS = 80;

function nameTask({ progress: { task, tasks, remaining } }: LoopLook): string {
  return `task ${task} of ${tasks} ("${clipLine(remaining[0] ?? "", MAX_SUBJECT_CHARACTERS)}")`;
}

const MAX_DECISIONS = 8;
/** The list is read at a session's start, so only its near end is written, up to this many lines. */
const MAX_ITEMS = 50;
const MAX_ITEM_CHARACTERS = 200;

/** A list of work in progress. `undefined` if there is no list or none of it is finished yet, because then there is no loop. */
export function describeLoop(happened: Happened, planFile: string): Omit<LoopLook, "level"> | undefined {
  const { state } = happened;
  const { open: unfinished, blocked, decisions } = findContinuation(happened);
  const items = state.work.filter(isListed);
  const done = items.filter(({ status }) => status === "done");
  const open = unfinished.filter(({ source }) => source === "tasks");
  const [current] = open;
  if (done.length === 0 || current === undefined) return undefined;
  const finishedRequest = Math.max(...done.map(({ changedRequest }) => changedRequest));
  const since = state.files.filter(({ changedRequest }) => changedRequest > finishedRequest);
  return {
    progress: {
      // Working through a list is the fourth phase: changing, testing, fixing and committing are parts of it.
      phase: PHASE_OF_PLAN.exec(planFile)?.[1] ?? UNKNOWN_PHASE,
      task: items.findIndex(({ id }) => id === current.id) + 1,
      tasks: items.length,
      completed: done.slice(-MAX_ITEMS).map(nameItem),
      remaining: open.slice(0, MAX_ITEMS).map(nameItem),
      decisions: decisions.slice(0, MAX_DECISIONS).map(({ text }) => text),
      blockers: blocked.map(({ line }) => line),
      wipFiles: since.slice(-MAX_ITEMS).map(({ path }) => path),
    },
    completedTasks: done.map((item) => items.indexOf(item) + 1),
    isAtBoundary: since.length === 0 && !isInTheMaking(state),
    planFile,
  };
}

/** Only a plan that names its phase says which it is. */
const PHASE_OF_PLAN = /\bphase[-_ ]?(\w{1,20})\.md$/i;
const UNKNOWN_PHASE = "not known";

function nameItem({ subject }: Pick<WorkItem, "subject">): string {
  return clipLine(subject, MAX_ITEM_CHARACTERS);
}

/** Neither given up nor from an earlier list. */
function isListed({ id, status, place }: WorkItem): boolean {
  if (status === "cancelled" || status === "dropped") return false;
  return id.startsWith("todo:") ? place !== undefined : !id.includes("@");
}

/** A change is under way, or the tests of the last one failed. */
function isInTheMaking({ openCalls, commands, files }: SessionState): boolean {
  const changedRequest = Math.max(0, ...files.map((file) => file.changedRequest));
  const tests = commands.findLast(({ isTest, request }) => isTest && request >= changedRequest);
  return (
    tests?.tests?.verdict === "failed" || openCalls.some(({ action: { kind } }) => kind === "edit" || kind === "write")
  );
}
