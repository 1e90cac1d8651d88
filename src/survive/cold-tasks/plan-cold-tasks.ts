import type { SessionState } from "../../session/session.ts";
import { coldTaskPath } from "./cold-paths.ts";
import { findColdTasks } from "./find-cold-tasks.ts";
import { type ColdSummaryOptions, type ColdTaskSummary, summarizeColdTask } from "./summarize-cold-task.ts";

/** One file to be written, once: a summary that exists is never written again. */
export interface ColdTaskWrite {
  readonly path: string;
  readonly summary: ColdTaskSummary;
}

export interface ColdTaskPlan {
  readonly writes: readonly ColdTaskWrite[];
  /** Cold tasks that have their file already. */
  readonly skipped: readonly string[];
}

export interface ColdTaskOptions extends ColdSummaryOptions {
  readonly home: string;
  readonly hasFile: (path: string) => boolean;
}

/** What to write of a session's cold tasks. The transcript is only read: what is known stays in it, too. */
export function planColdTasks(state: SessionState, options: ColdTaskOptions): ColdTaskPlan {
  const tasks = findColdTasks(state).map((task) => ({
    task,
    path: coldTaskPath(options.home, options.sessionId, task.id),
  }));
  return {
    writes: tasks
      .filter(({ path }) => !options.hasFile(path))
      .map(({ task, path }) => ({ path, summary: summarizeColdTask(state, task, options) })),
    skipped: tasks.filter(({ path }) => options.hasFile(path)).map(({ path }) => path),
  };
}
