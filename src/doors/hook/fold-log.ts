import { existsSync } from "node:fs";
import { join } from "node:path";
import { SESSION_FILES } from "../../policy/deeds/data-paths.ts";
import { appendLine, readTail } from "./session-files.ts";

/** One fold whose place in the transcript has not been looked at yet. */
export interface PendingFold {
  readonly callId: string;
  readonly tool: string;
  readonly handle: string;
}

export interface FoldLog {
  readonly pending: readonly PendingFold[];
  /** Calls of each tool whose fold the client did not keep. */
  readonly ignored: ReadonlyMap<string, ReadonlySet<string>>;
}

/** So many folds that came to nothing, and the tool is left alone for the rest of the session. */
export const MAX_IGNORED = 3;
const READ_BYTES = 64 << 10;
/** A result that is not found among the last lines of the transcript will not be found later either. */
const MAX_PENDING = 20;

export function noteFold(folder: string, { callId, tool, handle }: PendingFold): void {
  append(folder, ["F", callId, tool, handle]);
}

export function noteKept(folder: string, { callId }: PendingFold): void {
  append(folder, ["S", callId]);
}

export function noteIgnored(folder: string, { callId, tool }: PendingFold): void {
  append(folder, ["I", callId, tool]);
}

export function readFoldLog(folder: string): FoldLog {
  const pending = new Map<string, PendingFold>();
  const ignored = new Map<string, Set<string>>();
  for (const line of readLines(folder)) {
    const [mark = "", callId = "", tool = "", handle = ""] = line.split("\t");
    if (mark === "F") pending.set(callId, { callId, tool, handle });
    else pending.delete(callId);
    if (mark === "I") ignored.set(tool, (ignored.get(tool) ?? new Set()).add(callId));
  }
  return { pending: [...pending.values()].slice(-MAX_PENDING), ignored };
}

export function isGivenUp({ ignored }: FoldLog, tool: string): boolean {
  return (ignored.get(tool)?.size ?? 0) >= MAX_IGNORED;
}

function append(folder: string, fields: readonly string[]): void {
  appendLine(join(folder, SESSION_FILES.folds), `${fields.map((field) => field.replace(/\s/g, "_")).join("\t")}\n`);
}

function readLines(folder: string): readonly string[] {
  const file = join(folder, SESSION_FILES.folds);
  return existsSync(file) ? readTail(file, READ_BYTES).bytes.toString("utf8").split("\n") : [];
}
