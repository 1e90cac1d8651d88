import { clipLine } from "../../core/clip-text.ts";
import type { SessionState } from "../../session/session.ts";
import type { WorkItem } from "../../session/track-work.ts";
import { findContinuation, type Happened } from "../../survive/record/continuation.ts";
import type { LoopLook } from "./follow-mid-loop.ts";

const MAX_DECISIONS = 8;
/** What is written down of a list is to be read at a start: its near end, in lines. */
const MAX_ITEMS = 50;
const MAX_ITEM_CHARACTERS = 200;

/**
 * A list of work that is being gone through, item by item. `undefined` where nobody keeps one, or nothing of it is finished yet:
 * then nothing is in a loop.
 */
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
      phase: namePhase(state),
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

/** Not given up, not of an earlier list. */
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

/** The fourth phase is the one in which a list is gone through: changing, testing, mending and committing are parts of it. */
function namePhase({ phase: { phase } }: SessionState): string {
  return phase === "research" ? phase : "4";
}
