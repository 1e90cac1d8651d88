import { listWork } from "../../session/open-work.ts";
import { classifyCommand } from "../../session/phase.ts";
import type { SessionState } from "../../session/session.ts";
import { findBoundary, type SafeBoundary } from "./find-boundary.ts";

/** The next safe place to compact, by what the session has done. `isAwaitingPerson` is for who is asked by the person. */
export function describeBoundary(state: SessionState, isAwaitingPerson = false): SafeBoundary {
  const changed = state.files.filter(({ changedRequest }) => changedRequest > 0);
  const file = changed.reduce<(typeof changed)[number] | undefined>(
    (last, one) => (one.changedRequest >= (last?.changedRequest ?? 0) ? one : last),
    undefined,
  );
  const since = state.commands.filter(({ request }) => request >= (file?.changedRequest ?? 0));
  const tests = since.findLast(({ isTest }) => isTest)?.tests?.verdict;
  const last = since.at(-1);
  const work = listWork(state);
  return findBoundary({
    file: file?.path ?? "",
    isMidEdit: state.openCalls.some(({ action: { kind } }) => kind === "edit" || kind === "write"),
    doTestsPass: tests === "passed" ? true : tests === "failed" ? false : undefined,
    isTaskDone: work.length > 0 && work.every(({ status }) => status === "done" || status === "cancelled"),
    isCommitted: last !== undefined && !last.isFailed && classifyCommand(last.command) === "commit",
    isAwaitingPerson,
  });
}
