import { lstatSync, rmSync } from "node:fs";
import path from "node:path";
import { nameHandle } from "../fold/marker.ts";
import { type ArtifactFolder, locateObject } from "./artifact-folder.ts";
import { type ArtifactRecord, locateRecord, readRecords } from "./artifact-record.ts";
import { listObjects } from "./read-artifacts.ts";
import { removeLitter } from "./remove-litter.ts";

/** What may go. Each criterion alone is enough; without any, nothing goes. */
export interface PruneOptions {
  readonly olderThanMs?: number | undefined;
  /** Whatever another session stored: what ends with a session. */
  readonly exceptSession?: string | undefined;
  /** What these stored, unless one of these handles still stands somewhere. */
  readonly ended?: { readonly sessions: ReadonlySet<string>; readonly named: ReadonlySet<string> } | undefined;
  /** The oldest, until what is left is no larger. */
  readonly maxBytes?: number | undefined;
  readonly isDryRun?: boolean | undefined;
}

export interface Pruned {
  readonly removed: readonly ArtifactRecord[];
  readonly kept: number;
  /** Of originals that nothing refers to any more. */
  readonly freedBytes: number;
}

/** An original is written before the record that lists it: what is younger than this may be on its way. */
const GRACE_MS = 60_000;
/** A session without a transcript may be one that the client was told not to record, and still running. */
export const RUNNING_MS = 86_400_000;

export function pruneArtifacts(folder: ArtifactFolder, nowMs: number, options: PruneOptions): Pruned {
  const { records } = readRecords(folder);
  const removed = chooseRemoved(records, nowMs, options);
  const gone = new Set(removed.map(({ file }) => file));
  const kept = records.filter(({ file }) => !gone.has(file));
  const inUse = new Set(kept.map(({ sha256 }) => sha256));
  const unlisted = new Set(removed.map(({ sha256 }) => sha256));
  // Nobody knows whose an original without a record is: it goes where age, session or size are asked for, not with a conversation.
  const takesStrays =
    options.olderThanMs !== undefined || options.exceptSession !== undefined || options.maxBytes !== undefined;
  const orphans =
    takesStrays || unlisted.size > 0
      ? listOrphans(folder, inUse, nowMs, unlisted).filter(({ sha256 }) => takesStrays || unlisted.has(sha256))
      : [];
  if (!options.isDryRun) {
    removeLitter(folder, nowMs);
    for (const { file } of removed) {
      rmSync(locateRecord(folder, file), { force: true });
      rmSync(path.join(folder.root, file), { force: true });
    }
    for (const { sha256 } of orphans) rmSync(locateObject(folder, sha256), { force: true });
  }
  return { removed, kept: kept.length, freedBytes: orphans.reduce((sum, { bytes }) => sum + bytes, 0) };
}

function chooseRemoved(
  records: readonly ArtifactRecord[],
  nowMs: number,
  options: PruneOptions,
): readonly ArtifactRecord[] {
  const { olderThanMs, exceptSession, ended, maxBytes } = options;
  const isDue = ({ generated, sessionId, sha256 }: ArtifactRecord): boolean =>
    (ended?.sessions.has(sessionId) === true &&
      !ended.named.has(nameHandle(sha256)) &&
      nowMs - Date.parse(generated) > RUNNING_MS) ||
    (olderThanMs !== undefined && nowMs - Date.parse(generated) > olderThanMs) ||
    (exceptSession !== undefined && sessionId !== exceptSession);
  const removed = new Set(records.filter(isDue));
  if (maxBytes === undefined) return [...removed];
  const left = records.filter((record) => !removed.has(record));
  let total = left.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const record of left) {
    if (total <= maxBytes) break;
    removed.add(record);
    total -= record.bytes;
  }
  return records.filter((record) => removed.has(record));
}

/** Originals that no record needs: those just unlisted, and those left behind longer ago than anyone takes to write one. */
function listOrphans(
  folder: ArtifactFolder,
  inUse: ReadonlySet<string>,
  nowMs: number,
  unlisted: ReadonlySet<string>,
): readonly { readonly sha256: string; readonly bytes: number }[] {
  return listObjects(folder)
    .filter((sha256) => !inUse.has(sha256))
    .flatMap((sha256) => {
      const status = lstatSync(locateObject(folder, sha256), { throwIfNoEntry: false });
      const isYoung = status !== undefined && nowMs - status.mtimeMs < GRACE_MS;
      return status && (!isYoung || unlisted.has(sha256)) ? [{ sha256, bytes: status.size }] : [];
    });
}
