import { clipLine } from "../../core/clip-text.ts";
import type { Health } from "../../measure/health.ts";
import type { Action } from "../../session/action.ts";
import type { SessionState } from "../../session/session.ts";
import type { WorkItem } from "../../session/track-work.ts";
import { findContinuation, type Happened } from "../../survive/record/continuation.ts";
import { CONTINUE_HERE_PATH } from "../advice/continue-here.ts";
import {
  followMidLoop,
  isLookDue,
  type LoopInput,
  type LoopLook,
  type LoopState,
  renderResumeLine,
  TAKEN_UP,
} from "../advice/follow-mid-loop.ts";
import { chain, type PolicyStep, stay } from "../command.ts";
import { due, tellDue } from "../injection/compose-injections.ts";
import type { PolicyState } from "../policy-state.ts";
import type { Settings } from "../settings/settings.ts";

const IDLE: LoopState = { kind: "idle" };
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
  return isLookDue(loop, { nowMs, isTaskCall: TASK_CALLS.includes(action.kind) });
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
  const step = follow(state, { kind: "look", nowMs, look }, model);
  if (loop.kind === "seeking" || step.state.loop?.kind !== "seeking") return step;
  const seek = `The window is nearly full in the middle of a task list. Finish ${nameTask(look)}, then run /compact before the next task.`;
  return tell(step.state, seek, model);
}

/** If the save failed, the window stays as it is, so that nothing unsaved is lost. */
export function loopSaved(state: PolicyState, why: string | undefined, model: () => string): PolicyStep {
  const isDone = why === undefined;
  return state.loop === undefined ? stay(state) : follow(state, { kind: "flushed", what: "state", isDone }, model);
}

export interface Remembered {
  readonly why: string | undefined;
  readonly model: () => string;
  /** The entry point can compact, and the user wants it to; otherwise compacting is only advised. */
  readonly canCompact: boolean;
}

/** The long-term memory has stored the decisions, or `why` says why not. */
export function remembered(state: PolicyState, { why, model, canCompact }: Remembered): PolicyStep {
  return follow(state, { kind: "flushed", what: "memory", isDone: why === undefined }, model, canCompact);
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
  return tellBoth(
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

function follow(state: PolicyState, input: LoopInput, model: () => string, canCompact = false): PolicyStep {
  const before = state.loop ?? IDLE;
  const { state: loop, commands } = followMidLoop(before, input);
  const next = { ...state, loop };
  if (before.kind !== "flushing" || loop.kind !== "compacting") return { state: next, commands };
  const { look } = loop;
  const done = `${look.completedTasks.length} of ${look.progress.tasks} tasks are finished and saved`;
  if (canCompact)
    return { state: next, commands: [{ kind: "compact", why: `the window is nearly full, and ${done}` }] };
  return tellBoth(next, `This is a safe point to compact: ${done}. Run /compact before ${nameTask(look)}.`, model);
}

function tell(state: PolicyState, text: string, model: () => string): PolicyStep {
  return tellDue(state, [due("advisory", "in the middle of a list", text)], model);
}

/** Something that only the user can do is also shown on their screen. */
function tellBoth(state: PolicyState, text: string, model: () => string): PolicyStep {
  return chain(tell(state, text, model), (next) => ({ state: next, commands: [{ kind: "warn", text }] }));
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
      phase: state.phase.phase === "research" ? state.phase.phase : "4",
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

function nameItem({ subject }: Pick<WorkItem, "subject">): string {
  return clipLine(subject, MAX_ITEM_CHARACTERS);
}

/** Neither given up nor from an earlier list. */
function isListed({ id, status, place }: WorkItem): boolean {
  if (status === "cancelled") return false;
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
