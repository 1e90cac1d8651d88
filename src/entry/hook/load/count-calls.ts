import { readFileSync } from "node:fs";
import { join } from "node:path";
import { appendLine } from "../../../files/read-tail.ts";
import { SESSION_FILES } from "../../../policy/actions/data-paths.ts";
import type { HookContext } from "../hook.ts";

/** One letter per line: a call of the main conversation, one that read a large file, one of a subagent; a compaction. */
export type CallMark = "m" | "L" | "a" | "C";

export interface CallCount {
  /** Calls of the main conversation, failed ones included. Subagents fill their own windows. */
  readonly main: number;
  /** Those before the last compaction. */
  readonly before: number;
  readonly largeReads: number;
}

export function countCall({ folder }: HookContext, mark: CallMark): void {
  if (folder !== undefined) appendLine(join(folder, SESSION_FILES.calls), `${mark}\n`);
}

export function readCalls({ folder }: HookContext): CallCount {
  const count = { main: 0, before: 0, largeReads: 0 };
  if (folder === undefined) return count;
  for (const mark of readMarks(join(folder, SESSION_FILES.calls))) {
    if (mark === "C") count.before = count.main;
    if (mark === "m" || mark === "L") count.main++;
    if (mark === "L") count.largeReads++;
  }
  return count;
}

function readMarks(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
