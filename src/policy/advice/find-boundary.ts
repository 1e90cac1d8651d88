import { classifyCommand } from "../../session/phase.ts";
import { findContinuation, type Happened } from "../../survive/record/continuation.ts";
/** What is known of the work at hand, whatever host told it. */
export interface WorkFacts {
  /** The file being edited; empty when none is. */
  readonly file: string;
  /** Its edit has begun and is not finished, or a tool call is still open. */
  readonly isMidEdit: boolean;
  /** Whether the tests of that file pass; `undefined` when they have not run since its last edit. */
  readonly doTestsPass: boolean | undefined;
  readonly isTaskDone: boolean;
  readonly isCommitted: boolean;
  /** The agent has answered, and the person has not asked for anything new yet. */
  readonly isAwaitingPerson: boolean;
}

export interface SafeBoundary {
  readonly kind: "commit" | "task" | "prompt" | "tests" | "file";
  /** Here and now, not somewhere ahead. */
  readonly isReached: boolean;
  /** For the report's `boundary:` field. */
  readonly text: string;
}

/** The next place where a compaction loses nothing that is in the making. Nothing is safe in the middle of an edit. */
export function findBoundary(facts: WorkFacts): SafeBoundary {
  const { file, isMidEdit, doTestsPass, isTaskDone, isCommitted, isAwaitingPerson } = facts;
  const name = file === "" ? "the current file" : file;
  if (isMidEdit) return ahead("file", `end of ${name}, after its tests pass`);
  if (isCommitted) return reached("commit", "after the commit");
  if (isTaskDone) return reached("task", "end of the task");
  if (isAwaitingPerson) return reached("prompt", "before the next request");
  if (file === "") return ahead("task", "end of the task");
  if (doTestsPass === true) return reached("tests", `${name} is written and its tests pass`);
  if (doTestsPass === false) return ahead("tests", `once the tests of ${name} pass (they fail now)`);
  return ahead("tests", `after the tests of ${name} pass`);
}

function reached(kind: SafeBoundary["kind"], text: string): SafeBoundary {
  return { kind, isReached: true, text: `now: ${text}` };
}

function ahead(kind: SafeBoundary["kind"], text: string): SafeBoundary {
  return { kind, isReached: false, text };
}

/** The next safe place to compact, by what the session has done. `isAwaitingPerson` is for who is asked by the person. */
export function describeBoundary(happened: Happened, isAwaitingPerson = false): SafeBoundary {
  const { state } = happened;
  const changed = state.files.filter(({ changedRequest }) => changedRequest > 0);
  const file = changed.reduce<(typeof changed)[number] | undefined>(
    (last, one) => (one.changedRequest >= (last?.changedRequest ?? 0) ? one : last),
    undefined,
  );
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
