import { isTextList } from "../../core/edit.ts";
import { isObject } from "../../core/json.ts";
import { STATE_FOLDER, SUMMARY_FOLDER } from "./cold-paths.ts";
import type { ColdTaskSummary } from "./plan-cold-tasks.ts";

export interface FoundTaskFile {
  readonly path: string;
  readonly bytes: number;
  /** Its JSON content; absent if it was not asked for or is invalid. */
  readonly content?: unknown;
}

/** One session's files: its summaries, and the state of its checks. */
export function selectColdFiles(files: readonly FoundTaskFile[], sessionId: string): readonly FoundTaskFile[] {
  return files.filter(
    ({ path, content }) =>
      parseColdTask(content)?.session_id === sessionId || path.endsWith(`/${sessionId}_state.json`),
  );
}

/** The summaries, newest first. A file that is not one is listed without details. */
export function listColdTasks(
  files: readonly FoundTaskFile[],
): readonly (FoundTaskFile & { readonly summary: ColdTaskSummary | undefined })[] {
  return files
    .filter(({ path }) => isIn(path, SUMMARY_FOLDER, ".json"))
    .map((file) => ({ ...file, summary: parseColdTask(file.content) }))
    .sort((left, right) => (right.summary?.compressed_at ?? "").localeCompare(left.summary?.compressed_at ?? ""));
}

/** The summaries to delete. They are written again when their tasks are found cold again. */
export function planClearSummaries(files: readonly FoundTaskFile[]): readonly string[] {
  return files.map(({ path }) => path).filter((path) => isIn(path, SUMMARY_FOLDER, ".json"));
}

/** A session may be resumed within this time; originals are kept as long. */
const SUMMARIES_LIVE_MS = 14 * 24 * 60 * 60_000;

/** The summaries that are too old for any session to need. A file without a date is left alone. */
export function planExpireSummaries(files: readonly FoundTaskFile[], nowMs: number): readonly string[] {
  return listColdTasks(files)
    .filter(({ summary }) => nowMs - Date.parse(summary?.compressed_at ?? "") > SUMMARIES_LIVE_MS)
    .map(({ path }) => path);
}

/** The states to delete; the next check then starts from the beginning. */
export function planResetState(files: readonly FoundTaskFile[]): readonly string[] {
  return files.map(({ path }) => path).filter((path) => isIn(path, STATE_FOLDER, "_state.json"));
}

/** Only files directly in the folder match, so that we delete nothing that is not ours. */
function isIn(path: string, folder: string, end: string): boolean {
  const slashed = path.replace(/\\/g, "/");
  return slashed.endsWith(end) && slashed.slice(0, slashed.lastIndexOf("/")).endsWith(`/${folder}`);
}

/** `undefined` for anything that is not a summary. */
export function parseColdTask(value: unknown): ColdTaskSummary | undefined {
  return isColdTask(value) ? value : undefined;
}

const TEXTS = ["session_id", "task_id", "subject", "compressed_at"] as const;
const COUNTS = ["start_turn", "end_turn"] as const;
const LISTS = ["files_modified", "commands_run", "key_outcomes", "errors_resolved"] as const;

function isColdTask(value: unknown): value is ColdTaskSummary {
  return (
    isObject(value) &&
    TEXTS.every((key) => typeof value[key] === "string") &&
    COUNTS.every((key) => typeof value[key] === "number") &&
    LISTS.every((key) => isTextList(value[key]))
  );
}
