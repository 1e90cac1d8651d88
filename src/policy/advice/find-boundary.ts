import { classifyCommand } from "../../session/phase.ts";
import { findContinuation, type Happened } from "../../survive/record/continuation.ts";

export interface WorkFacts {
  /** The file being edited; empty if none. */
  readonly file: string;
  /** An edit is unfinished, or a tool call is still open. */
  readonly isMidEdit: boolean;
  /** `undefined` if the file's tests have not run since its last edit. */
  readonly doTestsPass: boolean | undefined;
  readonly isTaskDone: boolean;
  readonly isCommitted: boolean;
  /** The agent has answered, and the user has not asked for anything new. */
  readonly isAwaitingPerson: boolean;
}

/** Names the next place where a compaction loses no unfinished work, with `now: ` if it is reached. The middle of an edit is never safe. */
export function findBoundary(facts: WorkFacts): string {
  const { file, isMidEdit, doTestsPass, isTaskDone, isCommitted, isAwaitingPerson } = facts;
  const name = file === "" ? "the current file" : file;
  if (isMidEdit) return `end of ${name}, after its tests pass`;
  if (isCommitted) return "now: after the commit";
  if (isTaskDone) return "now: end of the task";
  if (isAwaitingPerson) return "now: before the next request";
  if (file === "") return "end of the task";
  if (doTestsPass === true) return `now: ${name} is written and its tests pass`;
  if (doTestsPass === false) return `once the tests of ${name} pass (they fail now)`;
  return `after the tests of ${name} pass`;
}

/** The next safe place to compact, by what the session has done. Set `isAwaitingPerson` if the user is the one who asks. */
export function describeBoundary(happened: Happened, isAwaitingPerson = false): string {
  const { state } = happened;
  const changed = state.files.filter(({ changedRequest }) => changedRequest > 0);
  const lastRequest = Math.max(...changed.map(({ changedRequest }) => changedRequest));
  const file = changed.findLast(({ changedRequest }) => changedRequest === lastRequest);
  const since = state.commands.filter(({ request }) => request >= (file?.changedRequest ?? 0));
  const tests = since.findLast(({ isTest }) => isTest)?.tests?.verdict;
  const last = since.at(-1);
  const { open, closed } = findContinuation(happened);
  return findBoundary({
    file: file?.path ?? "",
    isMidEdit: state.openCalls.some(({ action: { kind } }) => kind === "edit" || kind === "write"),
    doTestsPass: tests === "passed" ? true : tests === "failed" ? false : undefined,
    isTaskDone: closed.length > 0 && open.length === 0,
    isCommitted: last !== undefined && !last.isFailed && classifyCommand(last.command) === "commit",
    isAwaitingPerson,
  });
}
