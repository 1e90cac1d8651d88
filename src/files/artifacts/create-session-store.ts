import { mkdirSync } from "node:fs";
import path from "node:path";
import { type Archived, renderArchived } from "../../survive/recall/archive-lines.ts";
import type { Stored } from "../../survive/recall/recall.ts";
import { compareText } from "../list-files.ts";
import { writePrivateFile } from "../private-files.ts";
import { locateArtifacts, locateDataArtifacts, openArtifactFolder } from "./artifact-folder.ts";
import { type ArtifactToKeep, keepArtifact, type StoredArtifact } from "./keep-artifact.ts";
import { openProjectOriginals, readArchive, readStored } from "./originals.ts";
import { attempt } from "./store-result.ts";

/** Stores what leaves a conversation: in the project, or in Plimsoll's own data if the project cannot be written. */
export interface SessionStore {
  /** `undefined` if it could not be stored: then it must not leave. */
  keep(original: ArtifactToKeep): Pick<StoredArtifact, "sha256" | "handle" | "path"> | undefined;
  /** By the digits that a handle shows. */
  read(digits: string): Stored | undefined;
  /** What this session stored. */
  own(): readonly string[];
  /** The readable files in which this session's results are, the newest first; segments of a ledger are not among them. */
  paths(): readonly string[];
  /** Whether anything can be stored: false if no place can be opened, or if the last original found no room. */
  isOpen(): boolean;
  /** Stores results by call; false if that failed. */
  archive(results: readonly Archived[]): boolean;
  /** The newest archived result of a call. */
  archived(callId: string): string | undefined;
}

/** What a segment of a ledger is stored as. */
export const LEDGER_TOOL = "ledger";

export interface SessionStorePlace {
  readonly project: string;
  /** Plimsoll's own folder, below the client's configuration. */
  readonly dataFolder: string;
  readonly sessionId: string;
}

export function createSessionStore(
  { project, dataFolder, sessionId }: SessionStorePlace,
  nowMs: () => number = Date.now,
): SessionStore {
  const folders = [locateArtifacts(project, dataFolder), locateDataArtifacts(dataFolder)];
  const originals = openProjectOriginals({ project, dataFolder, sessionIds: () => [sessionId] });
  const sessionFolder = path.join(dataFolder, "sessions", sessionId);
  let hasFailed = false;
  let lastStamp = 0;
  const makeRoom = (folder: string): void => void mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    keep(original) {
      attempt("unwritable", () => makeRoom(dataFolder));
      for (const folder of folders) {
        const kept = keepArtifact(folder, { sessionId, ...original }, nowMs());
        hasFailed = !kept.ok;
        if (kept.ok) return kept.value;
      }
      return undefined;
    },
    read: (digits) => readStored(originals, digits),
    own: () => originals.handlesOf(sessionId),
    paths: () =>
      originals
        .list()
        .artifacts.filter((artifact) => artifact.sessionId === sessionId && artifact.tool !== LEDGER_TOOL)
        .sort((one, other) => compareText(other.generated, one.generated))
        .map((artifact) => artifact.path),
    isOpen() {
      attempt("unwritable", () => makeRoom(dataFolder));
      return !hasFailed && folders.some((folder) => openArtifactFolder(folder).ok);
    },
    archive(results) {
      if (results.length === 0) return true;
      // Every archive has a unique name.
      lastStamp = Math.max(lastStamp + 1, nowMs());
      const file = path.join(sessionFolder, `archive-${lastStamp}-1.jsonl`);
      return attempt("unwritable", () => {
        makeRoom(sessionFolder);
        writePrivateFile(file, results.map(renderArchived).join(""));
      }).ok;
    },
    archived: (callId) => readArchive(sessionFolder, callId),
  };
}
