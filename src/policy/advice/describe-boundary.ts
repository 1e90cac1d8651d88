import { classifyCommand } from "../../session/phase.ts";
import { findContinuation, type Happened } from "../../survive/record/continuation.ts";
import { findBoundary, type SafeBoundary } from "./find-boundary.ts";

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
