import type { SessionState } from "../../session/session.ts";
import type { WorkItem } from "../../session/track-work.ts";
import { coldTaskPath } from "./cold-paths.ts";
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

/** Requests without a word of it before a finished task is cold; named as the pipeline names it, whose turn is a request. */
export const TURNS_UNTIL_COLD = 20;

/** Tasks finished more than 20 requests ago whose subject nobody has spoken of in the last 20 requests, oldest first. */
export function findColdTasks({ work, requests }: SessionState): readonly WorkItem[] {
  const recent = requests.notes
    .filter((note) => note.request > requests.count - TURNS_UNTIL_COLD)
    .map((note) => normalize(note.words))
    .join("\n");
  return work.filter(
    ({ status, changedRequest, subject }) =>
      status === "done" && requests.count - changedRequest > TURNS_UNTIL_COLD && !mentions(recent, subject),
  );
}

/** A task without a subject can be spoken of by nobody. */
function mentions(recent: string, subject: string): boolean {
  const wanted = normalize(subject);
  return wanted !== "" && recent.includes(wanted);
}

function normalize(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ").trim();
}
