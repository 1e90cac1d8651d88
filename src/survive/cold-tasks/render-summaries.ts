import { clipLine } from "../../core/clip-text.ts";
import type { ColdTaskSummary } from "./summarize-cold-task.ts";

/** What was written down about a finished task, as far as it is quoted. */
export type TaskSummary = Pick<ColdTaskSummary, "subject" | "files_modified" | "key_outcomes" | "errors_resolved">;

export function renderTaskSummary({ subject, files_modified, key_outcomes, errors_resolved }: TaskSummary): string {
  return [
    `  ▸ Task: ${clipLine(subject, 200)}`,
    ...(files_modified.length > 0 ? [`    Files: ${files_modified.slice(0, 5).join(", ")}`] : []),
    ...key_outcomes.slice(0, 3).map((outcome) => `    → ${clipLine(outcome, 250)}`),
    ...errors_resolved.slice(0, 2).map((error) => `    ⚠ ${clipLine(error, 200)}`),
  ].join("\n");
}

const MAX_CHARACTERS = 3000;

/** Finished tasks for a window that nobody summarises, the last ones as far as there is room; empty for none. */
export function renderSummaries(summaries: readonly TaskSummary[]): string {
  const shown: string[] = [];
  let room = MAX_CHARACTERS;
  for (const text of [...summaries].reverse().map(renderTaskSummary)) {
    room -= text.length + 1;
    if (room < 0) break;
    shown.unshift(text);
  }
  return shown.length === 0 ? "" : ["## Finished tasks, written down while they were known", ...shown].join("\n");
}
