import { STATE_FOLDER, SUMMARY_FOLDER } from "./cold-paths.ts";
import type { ColdTaskSummary } from "./plan-cold-tasks.ts";

/** A file as a door found it. */
export interface FoundTaskFile {
  readonly path: string;
  readonly bytes: number;
  /** What is in it as JSON; absent where it is not asked for, or is none. */
  readonly content?: unknown;
}

export interface ListedSummary {
  readonly path: string;
  readonly bytes: number;
  /** `undefined` for a file that is no summary: it is listed, but nothing is known of it. */
  readonly summary: ColdTaskSummary | undefined;
}

/** One session's files: its summaries, and when it last looked. */
export function selectColdFiles(files: readonly FoundTaskFile[], sessionId: string): readonly FoundTaskFile[] {
  return files.filter(
    ({ path, content }) =>
      parseColdTask(content)?.session_id === sessionId || path.endsWith(`/${sessionId}_state.json`),
  );
}

/** The summaries among the files, newest first. */
export function listColdTasks(files: readonly FoundTaskFile[]): readonly ListedSummary[] {
  return files
    .filter(({ path }) => isIn(path, SUMMARY_FOLDER, ".json"))
    .map(({ path, bytes, content }) => ({ path, bytes, summary: parseColdTask(content) }))
    .sort((left, right) => compare(right.summary?.compressed_at, left.summary?.compressed_at));
}

/** The summaries to delete; they are written again when their tasks are found cold again. */
export function planClearSummaries(files: readonly FoundTaskFile[]): readonly string[] {
  return files.map(({ path }) => path).filter((path) => isIn(path, SUMMARY_FOLDER, ".json"));
}

/** A session may be taken up again, but not for ever: the time that originals live, too. */
const SUMMARIES_LIVE_MS = 14 * 24 * 60 * 60_000;

/** The summaries that no session will ask for any more. What does not say when it was written is left alone. */
export function planExpireSummaries(files: readonly FoundTaskFile[], nowMs: number): readonly string[] {
  return listColdTasks(files)
    .filter(({ summary }) => nowMs - Date.parse(summary?.compressed_at ?? "") > SUMMARIES_LIVE_MS)
    .map(({ path }) => path);
}

/** The states to delete: the next check counts from the beginning. */
export function planResetState(files: readonly FoundTaskFile[]): readonly string[] {
  return files.map(({ path }) => path).filter((path) => isIn(path, STATE_FOLDER, "_state.json"));
}

/** Directly in the folder, nowhere else: what is deleted must be ours. */
function isIn(path: string, folder: string, end: string): boolean {
  const slashed = path.replace(/\\/g, "/");
  const at = slashed.lastIndexOf("/");
  const parent = slashed.slice(0, at);
  return (parent === folder || parent.endsWith(`/${folder}`)) && slashed.length > at + 1 && slashed.endsWith(end);
}

function compare(left = "", right = ""): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A summary as it was read from a file; `undefined` for anything else. */
export function parseColdTask(value: unknown): ColdTaskSummary | undefined {
  return isColdTask(value) ? value : undefined;
}

const TEXTS = ["session_id", "task_id", "subject", "compressed_at"] as const;
const COUNTS = ["start_turn", "end_turn"] as const;
const LISTS = ["files_modified", "commands_run", "key_outcomes", "errors_resolved"] as const;

function isColdTask(value: unknown): value is ColdTaskSummary {
  if (typeof value !== "object" || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return (
    TEXTS.every((key) => typeof fields.get(key) === "string") &&
    COUNTS.every((key) => typeof fields.get(key) === "number") &&
    LISTS.every((key) => isTextList(fields.get(key)))
  );
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
