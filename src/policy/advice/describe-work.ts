import { listOpenWork } from "../../session/open-work.ts";
import { findContinuation, type Happened } from "../../survive/record/continuation.ts";
import { createShortener } from "../../survive/record/summary.ts";
import type { CriticalContext } from "./render-health-report.ts";

const MAX_BLOCKERS = 2;

/** What a report on the window's health says of the work itself. */
export function describeWork(happened: Happened | undefined, root = ""): Omit<CriticalContext, "decisionsSaved"> {
  if (happened === undefined) return { task: "", phase: "", filesTouched: [], blockers: [] };
  const { state } = happened;
  const shorten = createShortener(root);
  return {
    // A turn may end over an item: it is still what the list says is being worked on.
    task:
      state.work.findLast(({ status }) => status === "active")?.subject ??
      listOpenWork(state)[0]?.subject ??
      describeNext(happened),
    phase: state.phase.phase,
    filesTouched: state.files.filter(({ changedRequest }) => changedRequest > 0).map((file) => shorten(file.path)),
    blockers: state.errors
      .filter(({ resolvedBy }) => resolvedBy === "")
      .map(({ line }) => line)
      .slice(-MAX_BLOCKERS),
  };
}

/** Where nothing is open, that is all there is to say: the prompt that was answered is no task. */
function describeNext(happened: Happened): string {
  const { kind, action } = findContinuation(happened);
  return kind === "nothing" ? "none open" : action;
}
