import { lstatSync, readFileSync, rmSync, statSync, unlinkSync } from "node:fs";
import path from "node:path";
import { nameHandle } from "../../fold/marker.ts";
import { orderArchives } from "../../survive/recall/archive-lines.ts";
import {
  type ArtifactFolder,
  type ArtifactRecord,
  listArtifactNames,
  listOwnNames,
  locateArtifacts,
  locateDataArtifacts,
  locateObject,
  locateRecord,
  readRecords,
} from "./artifact-folder.ts";
import { listObjects } from "./read-artifacts.ts";

/** What to remove. Each criterion alone is enough; without any, nothing is removed. */
export interface PruneOptions {
  readonly olderThanMs?: number | undefined;
  /** Removes what all other sessions stored. */
  readonly exceptSession?: string | undefined;
  /** Removes what these sessions stored, unless one of these handles is still used. */
  readonly ended?: { readonly sessions: ReadonlySet<string>; readonly named: ReadonlySet<string> } | undefined;
  /** Removes the oldest until the rest is no larger. */
  readonly maxBytes?: number | undefined;
  readonly isDryRun?: boolean | undefined;
}

export interface Pruned {
  readonly removed: readonly ArtifactRecord[];
  readonly kept: number;
  /** Of originals that nothing refers to any more. */
  readonly freedBytes: number;
}

/** An original is written before the record that lists it: a younger one may not have its record yet. */
const GRACE_MS = 60_000;
/** A session without a transcript may be one that the client does not record, and still running. */
const RUNNING_MS = 86_400_000;

export function pruneArtifacts(folder: ArtifactFolder, nowMs: number, options: PruneOptions): Pruned {
  const { records } = readRecords(folder);
  const removed = chooseRemoved(records, nowMs, options);
  const gone = new Set(removed.map(({ file }) => file));
  const kept = records.filter(({ file }) => !gone.has(file));
  const inUse = new Set(kept.map(({ sha256 }) => sha256));
  const unlisted = new Set(removed.map(({ sha256 }) => sha256));
  // The owner of an original without a record is unknown: it is removed by age, session or size, not with a conversation.
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

function chooseRemoved(records: readonly ArtifactRecord[], nowMs: number, options: PruneOptions) {
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

/** Originals that no record needs: those just unlisted, and those left behind longer ago than writing a record takes. */
function listOrphans(folder: ArtifactFolder, inUse: ReadonlySet<string>, nowMs: number, unlisted: ReadonlySet<string>) {
  return listObjects(folder)
    .filter((sha256) => !inUse.has(sha256))
    .flatMap((sha256) => {
      const status = lstatSync(locateObject(folder, sha256), { throwIfNoEntry: false });
      const isYoung = status !== undefined && nowMs - status.mtimeMs < GRACE_MS;
      return status && (!isYoung || unlisted.has(sha256)) ? [{ sha256, bytes: status.size }] : [];
    });
}

export interface Conversations {
  readonly project: string;
  /** Plimsoll's own, below the client's configuration. */
  readonly dataFolder: string;
  /** Every session that has a transcript; `undefined` if unknown: nothing has ended then. */
  readonly resumable: ReadonlySet<string> | undefined;
  /** The project's transcripts: one may continue another's text, with its handles. */
  readonly transcripts: readonly string[];
  readonly nowMs: number;
}

/** Removes originals of sessions that ran here and cannot be resumed. Those of another configuration's sessions are unknown here, and stay. */
export function pruneEnded(given: Conversations, isDryRun = false): Pruned {
  const sessions = listEnded(given);
  const folders = [locateArtifacts(given.project), locateDataArtifacts(given.dataFolder)];
  const archives = listArchives(given, sessions);
  const due = folders.flatMap((folder) => listHandlesOf(folder, sessions));
  // Usually there is nothing to do, and no transcript is read.
  const named = due.length === 0 ? new Set<string>() : findNamed(given.transcripts);
  const [own, shared] = folders.map((folder) =>
    pruneArtifacts(folder, given.nowMs, { ended: { sessions, named }, isDryRun }),
  );
  if (!isDryRun) for (const { file } of archives) rmSync(file, { force: true });
  return {
    removed: [...(own?.removed ?? []), ...(shared?.removed ?? [])],
    kept: own?.kept ?? 0,
    freedBytes: [own, shared, ...archives].reduce((sum, part) => sum + (part?.freedBytes ?? 0), 0),
  };
}

function listEnded({ dataFolder, resumable }: Conversations): ReadonlySet<string> {
  if (resumable === undefined) return new Set();
  return new Set(listArtifactNames(path.join(dataFolder, "sessions")).filter((id) => !resumable.has(id)));
}

function listHandlesOf(folder: ArtifactFolder, sessions: ReadonlySet<string>): readonly string[] {
  if (sessions.size === 0) return [];
  const { records } = readRecords(folder);
  return records.filter(({ sessionId }) => sessions.has(sessionId)).map(({ sha256 }) => nameHandle(sha256));
}

function listArchives({ project, dataFolder, nowMs }: Conversations, sessions: ReadonlySet<string>) {
  const folders = [...sessions].flatMap((id) => [
    path.join(dataFolder, "sessions", id),
    path.join(project, ".plimsoll", "sessions", id),
  ]);
  return folders.flatMap((folder) =>
    orderArchives(listArtifactNames(folder)).flatMap(({ name }) => {
      const file = path.join(folder, name);
      const status = statSync(file, { throwIfNoEntry: false });
      return status && nowMs - status.mtimeMs > RUNNING_MS ? [{ file, freedBytes: status.size }] : [];
    }),
  );
}

const HANDLE = Buffer.from("plimsoll:");
const HANDLE_BYTES = HANDLE.length + 12;

function findNamed(transcripts: readonly string[]): ReadonlySet<string> {
  const named = new Set<string>();
  for (const file of transcripts) {
    const bytes = readFileSync(file);
    for (let at = bytes.indexOf(HANDLE); at >= 0; at = bytes.indexOf(HANDLE, at + 1))
      named.add(bytes.toString("latin1", at, at + HANDLE_BYTES));
  }
  return named;
}

/** Writing one file never takes so long: its process has ended. */
const LITTER_MS = 3_600_000;

/** Removes what processes that were killed while writing have left in a store. */
export function removeLitter(folder: ArtifactFolder, nowMs: number): void {
  const prefixFolders = listOwnNames(folder, folder.objects).map((part) => path.join(folder.objects, part));
  for (const place of [folder.root, folder.records, ...prefixFolders])
    for (const name of listOwnNames(folder, place)) {
      if (!/^\..*\.tmp$/.test(name)) continue;
      const file = path.join(place, name);
      const status = lstatSync(file, { throwIfNoEntry: false });
      if (status?.isFile() && Math.abs(nowMs - status.mtimeMs) > LITTER_MS) unlinkSync(file);
    }
}
