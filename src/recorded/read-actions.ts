import { existsSync } from "node:fs";
import path from "node:path";
import { readTail } from "../files/read-tail.ts";
import type { Accounts } from "../hosts/usage.ts";
import { locateSession, SESSION_FILES } from "../policy/actions/data-paths.ts";
import { type OwnAction, parseAction } from "../policy/actions/own-action.ts";
import type { Requests } from "../policy/injection/price-injections.ts";

export interface ReadActions {
  readonly actions: readonly OwnAction[];
  /** Lines that are not actions: torn, or of another version. */
  readonly skipped: number;
}

/** One journal for each entry point that may have run in a session. */
const ACTION_JOURNALS: readonly string[] = [SESSION_FILES.hookActions, SESSION_FILES.moduleActions];

/** Everything that was done in a live session, by any entry point, in order of time; empty if nothing was. */
export function readActions(configFolder: string, sessionId: string): ReadActions {
  const folder = locateSession(configFolder, sessionId);
  return folder === undefined ? { actions: [], skipped: 0 } : readJournals(listJournals(folder));
}

/** Whether an entry point of ours has run in a session. */
export function hasRun(configFolder: string, sessionId: string): boolean {
  const folder = locateSession(configFolder, sessionId);
  return folder !== undefined && listJournals(folder).some((file) => existsSync(file));
}

export function listJournals(sessionFolder: string): readonly string[] {
  return ACTION_JOURNALS.map((name) => path.join(sessionFolder, name));
}

/** The lines of some journals in order of time: all of them, or the end of each. */
export function readJournals(files: readonly string[], maxBytes: number = Number.POSITIVE_INFINITY): ReadActions {
  const lines = files.flatMap((file) => readEnd(file, maxBytes).split("\n")).filter((line) => line !== "");
  const actions = lines.map(parseAction).filter((action) => action !== undefined);
  return { actions: actions.sort((left, right) => left.atMs - right.atMs), skipped: lines.length - actions.length };
}

/** The end of a file, from the first whole line on. */
function readEnd(file: string, maxBytes: number): string {
  try {
    const { bytes, from } = readTail(file, maxBytes);
    const text = bytes.toString("utf8");
    return from === 0 ? text : text.slice(text.indexOf("\n") + 1);
  } catch {
    // The file is gone or unreadable.
    return "";
  }
}

export type ReceiptAction = Extract<OwnAction, { kind: "receipt" }>;

/** The receipts of a session's compactions, the last version of each. */
export function listReceipts(actions: readonly OwnAction[]): readonly ReceiptAction[] {
  const receipts = actions.filter((action): action is ReceiptAction => action.kind === "receipt");
  return [...new Map(receipts.map((receipt) => [receipt.compaction, receipt])).values()];
}

/** What an injection is priced by: the requests of the conversation itself, and when it was compacted. */
export function listInjectedRequests({ steps, compactions }: Pick<Accounts, "steps" | "compactions">): Requests {
  const requests = steps
    .filter(({ isSidechain }) => !isSidechain)
    .flatMap(({ atMs, model }) => (atMs === undefined ? [] : [{ atMs, model }]));
  const compactionsMs = compactions.flatMap(({ atMs }) => (atMs === undefined ? [] : [atMs]));
  return { requests, compactionsMs: compactionsMs.sort((left, right) => left - right) };
}
