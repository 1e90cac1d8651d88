import { existsSync } from "node:fs";
import { join } from "node:path";
import { appendLine, readTail } from "../../../files/read-tail.ts";
import { SESSION_FILES } from "../../../policy/actions/data-paths.ts";
import type { ActionDetail } from "../../../policy/actions/own-action.ts";
import { holdsResult } from "../clients/claude-code/client.ts";
import type { HookContext } from "../hook.ts";
import { MAX_TAIL_BYTES } from "../load/read-load.ts";
import { locateTrusted } from "../trusted-file.ts";

interface PendingFold {
  readonly callId: string;
  readonly tool: string;
  readonly handle: string;
}

interface FoldLog {
  readonly pending: readonly PendingFold[];
  /** Calls whose fold the client did not keep, by tool. */
  readonly ignored: ReadonlyMap<string, ReadonlySet<string>>;
}

/** After so many ignored folds the tool is left alone for the rest of the session. */
const MAX_IGNORED = 3;
const READ_BYTES = 64 << 10;
/** A result that is not among the last lines of the transcript will not be found later either. */
const MAX_PENDING = 20;

export function noteFold(folder: string, { callId, tool, handle }: PendingFold): void {
  append(folder, ["F", callId, tool, handle]);
}

export function readFoldLog(folder: string): FoldLog {
  const pending = new Map<string, PendingFold>();
  const ignored = new Map<string, Set<string>>();
  const file = join(folder, SESSION_FILES.folds);
  const text = existsSync(file) ? readTail(file, READ_BYTES).bytes.toString("utf8") : "";
  for (const line of text.split("\n")) {
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

/** Checks in the transcript whether the client kept a fold: it ignores an answer of an unexpected shape, and another plugin may have answered too. */
export function checkFolds(context: HookContext): readonly ActionDetail[] {
  const { folder } = context;
  const pending = folder === undefined ? [] : readFoldLog(folder).pending;
  if (folder === undefined || pending.length === 0) return [];
  const transcript = locateTrusted(context);
  if (transcript === undefined) return [];
  const lines = readTail(transcript, MAX_TAIL_BYTES).bytes.toString("utf8").split("\n");
  const actions: ActionDetail[] = [];
  for (const fold of pending) {
    // Absent while the result is not in the transcript.
    const isKept = lines.findLast((line) => holdsResult(line, fold.callId))?.includes(fold.handle);
    if (isKept === true) append(folder, ["S", fold.callId]);
    if (isKept === false) actions.push(...noteLoss(folder, fold));
  }
  return actions;
}

function noteLoss(folder: string, fold: PendingFold): readonly ActionDetail[] {
  const isKnown = isGivenUp(readFoldLog(folder), fold.tool);
  append(folder, ["I", fold.callId, fold.tool]);
  const why = `the transcript still has the full result of ${fold.callId}`;
  const ignored: ActionDetail = { kind: "ignored", what: `fold of ${fold.tool}`, why };
  if (isKnown || !isGivenUp(readFoldLog(folder), fold.tool)) return [ignored];
  const declined = `the client ignored ${MAX_IGNORED} folds of this tool's results in this session`;
  return [ignored, { kind: "declined", what: `folding ${fold.tool}`, why: declined }];
}
