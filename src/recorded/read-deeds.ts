import { readFileSync } from "node:fs";
import path from "node:path";
import { locateSession, SESSION_FILES } from "../policy/deeds/data-paths.ts";
import { type Deed, parseDeed } from "../policy/deeds/deed.ts";

export interface ReadDeeds {
  readonly deeds: readonly Deed[];
  /** Lines that are no deeds: torn, or of another version. */
  readonly skipped: number;
}

/** What was done in a live session, by whichever door, in order of time; nothing for a session that had none. */
export function readDeeds(configFolder: string, sessionId: string): ReadDeeds {
  const folder = locateSession(configFolder, sessionId);
  if (folder === undefined) return { deeds: [], skipped: 0 };
  const lines = [SESSION_FILES.hookDeeds, SESSION_FILES.moduleDeeds].flatMap((name) =>
    readLines(path.join(folder, name)),
  );
  const deeds = lines.map(parseDeed).filter((deed) => deed !== undefined);
  return { deeds: deeds.sort((left, right) => left.atMs - right.atMs), skipped: lines.length - deeds.length };
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  } catch {
    return [];
  }
}

export type ReceiptDeed = Extract<Deed, { kind: "receipt" }>;

/** The receipts of a session's compactions, each as it was last written down. */
export function listReceipts(deeds: readonly Deed[]): readonly ReceiptDeed[] {
  const receipts = deeds.filter((deed): deed is ReceiptDeed => deed.kind === "receipt");
  return [...new Map(receipts.map((receipt) => [receipt.compaction, receipt])).values()];
}
