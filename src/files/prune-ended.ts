import { readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { nameHandle } from "../fold/marker.ts";
import { orderArchives } from "../survive/recall/archive-lines.ts";
import { type ArtifactFolder, locateArtifacts, locateDataArtifacts } from "./artifact-folder.ts";
import { listNames, readRecords } from "./artifact-record.ts";
import { type Pruned, pruneArtifacts, RUNNING_MS } from "./prune-artifacts.ts";

/** Where the originals of a project's conversations lie, and which of these can be resumed. */
export interface Conversations {
  readonly project: string;
  /** Plimsoll's own, below the client's configuration. */
  readonly dataFolder: string;
  /** Every session that has a transcript; `undefined` where that cannot be known: then nothing has ended. */
  readonly resumable: ReadonlySet<string> | undefined;
  /** The transcripts of the project: one may go on with another's words, and with their handles. */
  readonly transcripts: readonly string[];
  readonly nowMs: number;
}

/**
 * Originals go with the conversation that they left: a session that ran here, and whose transcript is gone, cannot be resumed.
 * What another configuration's sessions stored in the project is not known here, and stays.
 */
export function pruneEnded(given: Conversations, isDryRun = false): Pruned {
  const sessions = listEnded(given);
  const folders = [locateArtifacts(given.project), locateDataArtifacts(given.dataFolder)];
  const archives = listArchives(given, sessions);
  const due = folders.flatMap((folder) => listHandlesOf(folder, sessions));
  // Nothing to do is the usual case, and it reads no transcript.
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
  return new Set(listNames(path.join(dataFolder, "sessions")).filter((id) => !resumable.has(id)));
}

function listHandlesOf(folder: ArtifactFolder, sessions: ReadonlySet<string>): readonly string[] {
  if (sessions.size === 0) return [];
  const { records } = readRecords(folder);
  return records.filter(({ sessionId }) => sessions.has(sessionId)).map(({ sha256 }) => nameHandle(sha256));
}

/** What left their windows at compactions. */
function listArchives({ project, dataFolder, nowMs }: Conversations, sessions: ReadonlySet<string>) {
  const folders = [...sessions].flatMap((id) => [
    path.join(dataFolder, "sessions", id),
    path.join(project, ".plimsoll", "sessions", id),
  ]);
  return folders.flatMap((folder) =>
    orderArchives(listNames(folder)).flatMap(({ name }) => {
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
