import { clipLine } from "../../core/clip-text.ts";
import { isChange } from "../../session/action.ts";
import { classifyCommand } from "../../session/phase.ts";
import { findStandingRequest } from "../../session/standing-request.ts";
import type { CommandRecord } from "../../session/track-commands.ts";
import { type Continuation, findContinuation, type Happened } from "../../survive/record/continuation.ts";

export interface WorkFacts {
  /** The file being edited; empty if none. */
  readonly file: string;
  /** An edit is unfinished, or a tool call is still open. */
  readonly isMidEdit: boolean;
  /** `undefined` if the file's tests have not run since its last edit. */
  readonly doTestsPass: boolean | undefined;
  readonly isTaskDone: boolean;
  /** The task in progress, or the one that has just ended; empty if none is named. */
  readonly task?: string;
  readonly isCommitted: boolean;
  /** The agent has answered, and the user has not asked for anything new. */
  readonly isAwaitingPerson: boolean;
}

/** Names the next place where a compaction loses no unfinished work, with `now: ` if it is reached. The middle of an edit is never safe. */
export function findBoundary(facts: WorkFacts): string {
  const { file, isMidEdit, doTestsPass, isTaskDone, isCommitted, isAwaitingPerson, task = "" } = facts;
  const end = task === "" ? "end of the task" : `end of "${clipLine(task, TASK_CHARACTERS)}"`;
  // A document or a list of settings has no tests of its own.
  const isTested = !/\.(?:mdx?|txt|json|ya?ml|toml|lock|html|css|svg|csv|desktop|ini|conf|env)$/i.test(file);
  const name = file === "" ? "the current file" : file;
  if (isMidEdit) return isTested ? `end of ${name}, after its tests pass` : `end of ${name}`;
  if (isCommitted) return "now: after the commit";
  if (isTaskDone) return `now: ${end}`;
  if (isAwaitingPerson) return "now: before the next request";
  if (file === "" || !isTested) return end;
  if (doTestsPass === true) return `now: ${name} is written and its tests pass`;
  if (doTestsPass === false) return `once the tests of ${name} pass (they fail now)`;
  return task === "" ? `after the tests of ${name} pass` : `after the tests of ${name} pass, at the latest the ${end}`;
}

const TASK_CHARACTERS = 60;

/** Where a list is worked through, its current item and place. */
function nameCurrent({ inProgress, open, done, task }: Continuation): string {
  const item = inProgress.find(({ source }) => source === "tasks");
  const listed = [...done, ...open].filter(({ source }) => source === "tasks").length;
  if (item === undefined) return task;
  const at = done.filter(({ source }) => source === "tasks").length + 1;
  return listed > 1 ? `${clipLine(item.subject, TASK_CHARACTERS - 12)} (${at} of ${listed})` : item.subject;
}

/** The next safe place to compact, by what the session has done. Set `isAwaitingPerson` if the user is the one who asks. */
export function describeBoundary(happened: Happened, isAwaitingPerson = false): string {
  const { state } = happened;
  const changed = state.files.filter(({ changedRequest }) => changedRequest > 0);
  const editing = state.openCalls.flatMap(({ action }) => (isChange(action) ? [action.path] : [])).at(0);
  const lastRequest = Math.max(...changed.map(({ changedRequest }) => changedRequest));
  const file = changed.findLast(({ changedRequest }) => changedRequest === lastRequest);
  const since = state.commands.filter(({ request }) => request >= (file?.changedRequest ?? 0));
  const tests = since.findLast(({ isTest }) => isTest)?.tests?.verdict;
  const isCommit = (ran: CommandRecord): boolean => !ran.isFailed && classifyCommand(ran.command) === "commit";
  const last = since.at(-1);
  const continuation = findContinuation(happened);
  const { open, done } = continuation;
  const asked = findStandingRequest(state)?.request ?? 0;
  const ended = done.findLast(({ changedRequest }) => changedRequest > asked)?.subject ?? "";
  const isTaskDone = done.length > 0 && open.length === 0;
  // The work does not wait for a file that was changed for an earlier request, or is committed.
  const isUnderWork = lastRequest > asked && !since.some(isCommit);
  return findBoundary({
    file: editing ?? (isUnderWork ? (file?.path ?? "") : ""),
    isMidEdit: editing !== undefined,
    doTestsPass: tests === "passed" ? true : tests === "failed" ? false : undefined,
    isTaskDone,
    task: isTaskDone ? ended : nameCurrent(continuation),
    isCommitted: last !== undefined && isCommit(last),
    isAwaitingPerson,
  });
}
