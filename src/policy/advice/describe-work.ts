import { type Continuation, findContinuation, type Happened } from "../../survive/record/continuation.ts";
import { createShortener } from "../../survive/record/summary.ts";
import type { CriticalContext } from "./render-health-report.ts";

/** What a report on the window's health says of the work itself. */
export function describeWork(happened: Happened | undefined, root = ""): Omit<CriticalContext, "decisionsSaved"> {
  if (happened === undefined) return { task: "", phase: "", filesTouched: [], blockers: [] };
  const { state } = happened;
  const shorten = createShortener(root);
  const continuation = findContinuation(happened);
  return {
    task: nameTask(continuation),
    phase: state.phase.phase,
    filesTouched: state.files.filter(({ changedRequest }) => changedRequest > 0).map((file) => shorten(file.path)),
    blockers: continuation.blocked.map(({ line }) => line),
  };
}

/** Where nothing is open, that is all there is to say: the prompt that was answered is no task. */
function nameTask({ task, open, next }: Continuation): string {
  if (open.length === 0) return next.kind === "nothing" ? "none open" : task || next.action;
  return task || (open[0]?.subject ?? "");
}
