import { clipLine, takeFitting } from "../../core/clip-text.ts";
import { baseName } from "../../session/file-path.ts";
import type { SessionState } from "../../session/session.ts";
import { type ErrorRecord, isFixKnown } from "../../session/track-errors.ts";
import type { WorkItem } from "../../session/track-work.ts";
import { coldTaskPath } from "./cold-paths.ts";

export interface ColdTaskOptions {
  readonly home: string;
  readonly sessionId: string;
  readonly compressedAt: string;
  readonly hasFile: (path: string) => boolean;
}

/** A file to write for each cold task of a session. A summary that exists is never written again. The transcript still holds everything. */
export function planColdTasks(
  state: SessionState,
  options: ColdTaskOptions,
): readonly { readonly path: string; readonly summary: ColdTaskSummary }[] {
  return findColdTasks(state)
    .map((task) => ({ task, path: coldTaskPath(options.home, options.sessionId, task.id) }))
    .filter(({ path }) => !options.hasFile(path))
    .map(({ task, path }) => ({ path, summary: summarizeColdTask(state, task, options) }));
}

/** A finished task is cold after so many requests without a mention. The pipeline's name; its turn is a request. */
export const TURNS_UNTIL_COLD = 20;

/** Tasks finished more than 20 requests ago and not mentioned in the last 20 requests, whose words the notes keep; oldest first. */
export function findColdTasks({ work, requests }: SessionState): readonly WorkItem[] {
  const recent = requests.notes.map(({ words }) => normalize(words)).join("\n");
  const isMentioned = (wanted: string): boolean => wanted !== "" && recent.includes(wanted);
  return work.filter(
    ({ status, changedRequest, subject }) =>
      status === "done" && requests.count - changedRequest > TURNS_UNTIL_COLD && !isMentioned(normalize(subject)),
  );
}

function normalize(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ").trim();
}

/** What is kept of a cold task, with the field names of the pipeline's files, where a turn is a request. */
export interface ColdTaskSummary {
  readonly session_id: string;
  readonly task_id: string;
  readonly subject: string;
  readonly start_turn: number;
  readonly end_turn: number;
  /** When it was written, in ISO 8601. */
  readonly compressed_at: string;
  readonly files_modified: readonly string[];
  readonly commands_run: readonly string[];
  readonly key_outcomes: readonly string[];
  readonly errors_resolved: readonly string[];
}

/** Above a cap the LATEST are kept: the pipeline this comes from keeps the earliest, and so loses how a task ended. */
const MAX_FILES = 15;
const MAX_COMMANDS = 8;
const MAX_OUTCOMES = 6;
const MAX_ERRORS = 4;
const COMMAND_CHARACTERS = 100;
const OUTCOME_CHARACTERS = 250;
const ERROR_CHARACTERS = 200;

/** A task's files, commands, short texts and errors, from the requests between its start and its end. */
function summarizeColdTask(
  state: SessionState,
  task: WorkItem,
  { sessionId, compressedAt }: ColdTaskOptions,
): ColdTaskSummary {
  const start = task.startedRequest > 0 ? Math.min(task.startedRequest, task.changedRequest) : task.createdRequest;
  const end = task.changedRequest;
  const isWithin = ({ request }: { readonly request: number }): boolean => request >= start && request <= end;
  const notes = state.requests.notes.filter(isWithin);
  const files = notes.flatMap((note) => note.changed);
  const commands = state.commands.filter(isWithin).map(({ command }) => clipLine(command, COMMAND_CHARACTERS));
  const outcomes = notes.flatMap((note) => note.texts).map((text) => clipLine(text, OUTCOME_CHARACTERS));
  const errors = state.errors.filter((error) => isWithin(error) && isFixKnown(error)).map(describeFix);
  return {
    session_id: sessionId,
    task_id: task.id,
    subject: task.subject,
    start_turn: start,
    end_turn: end,
    compressed_at: compressedAt,
    files_modified: keepLatest(files, MAX_FILES),
    commands_run: keepLatest(commands, MAX_COMMANDS),
    key_outcomes: keepLatest(outcomes, MAX_OUTCOMES),
    errors_resolved: keepLatest(errors, MAX_ERRORS),
  };
}

export function describeFix({ line, editedFiles }: ErrorRecord): string {
  const fix = `fixed by changing ${editedFiles.map(baseName).join(", ")}`;
  return `${clipLine(line, ERROR_CHARACTERS - fix.length - 3)} — ${fix}`;
}

/** Each once, in the order of last appearance. */
function keepLatest(items: readonly string[], limit: number): readonly string[] {
  return [...new Set(items.toReversed())].slice(0, limit).toReversed();
}

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

/** Finished tasks for a window without a summary: the last ones that fit; empty for none. */
export function renderSummaries(summaries: readonly TaskSummary[]): string {
  const shown = takeFitting(summaries.toReversed().map(renderTaskSummary), MAX_CHARACTERS).toReversed();
  return shown.length === 0 ? "" : ["## Summaries of finished tasks", ...shown].join("\n");
}
