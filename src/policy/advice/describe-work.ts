import { listOpenWork } from "../../session/open-work.ts";
import { findContinuation, type Happened } from "../../survive/record/continuation.ts";
import type { CriticalContext } from "./render-health-report.ts";

const MAX_BLOCKERS = 2;

/** What a report on the window's health says of the work itself. */
export function describeWork(happened: Happened | undefined): Omit<CriticalContext, "decisionsSaved"> {
  if (happened === undefined) return { task: "", phase: "", filesTouched: [], blockers: [] };
  const { state } = happened;
  return {
    task: listOpenWork(state)[0]?.subject ?? findContinuation(happened).action,
    phase: state.phase.phase,
    filesTouched: state.files.filter(({ changedRequest }) => changedRequest > 0).map((file) => file.path),
    blockers: state.errors
      .filter(({ resolvedBy }) => resolvedBy === "")
      .map(({ line }) => line)
      .slice(-MAX_BLOCKERS),
  };
}
