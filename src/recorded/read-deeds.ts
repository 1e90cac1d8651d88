import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import path from "node:path";
import { locateSession, SESSION_FILES } from "../policy/deeds/data-paths.ts";
import { type Deed, parseDeed } from "../policy/deeds/deed.ts";

export interface ReadDeeds {
  readonly deeds: readonly Deed[];
  /** Lines that are not deeds: torn, or of another version. */
  readonly skipped: number;
}

/** One journal for each entry point that may have run in a session. */
const DEED_JOURNALS: readonly string[] = [SESSION_FILES.hookDeeds, SESSION_FILES.moduleDeeds];

/** Everything that was done in a live session, by any entry point, in order of time; empty if nothing was. */
export function readDeeds(configFolder: string, sessionId: string): ReadDeeds {
  const folder = locateSession(configFolder, sessionId);
  return folder === undefined ? { deeds: [], skipped: 0 } : readJournals(listJournals(folder));
}

export function listJournals(sessionFolder: string): readonly string[] {
  return DEED_JOURNALS.map((name) => path.join(sessionFolder, name));
}

/** The lines of some journals in order of time: all of them, or the end of each. */
export function readJournals(files: readonly string[], maxBytes: number = Number.POSITIVE_INFINITY): ReadDeeds {
  const lines = files.flatMap((file) => readTail(file, maxBytes).split("\n")).filter((line) => line !== "");
  const deeds = lines.map(parseDeed).filter((deed) => deed !== undefined);
  return { deeds: deeds.sort((left, right) => left.atMs - right.atMs), skipped: lines.length - deeds.length };
}

/** The end of a file, from the first whole line on. */
function readTail(file: string, maxBytes: number): string {
  let handle: number | undefined;
  try {
    handle = openSync(file, "r");
    const { size } = fstatSync(handle);
    const start = Math.max(0, size - maxBytes);
    const bytes = Buffer.alloc(size - start);
    const text = bytes.toString("utf8", 0, readSync(handle, bytes, 0, bytes.length, start));
    return start === 0 ? text : text.slice(text.indexOf("\n") + 1);
  } catch {
    // The file is gone or unreadable.
    return "";
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

export type ReceiptDeed = Extract<Deed, { kind: "receipt" }>;

/** The receipts of a session's compactions, the last version of each. */
export function listReceipts(deeds: readonly Deed[]): readonly ReceiptDeed[] {
  const receipts = deeds.filter((deed): deed is ReceiptDeed => deed.kind === "receipt");
  return [...new Map(receipts.map((receipt) => [receipt.compaction, receipt])).values()];
}
