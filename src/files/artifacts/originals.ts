import { Buffer, isUtf8 } from "node:buffer";
import path from "node:path";
import { sha256 } from "../../core/sha256.ts";
import { encodeUtf8 } from "../../core/utf8.ts";
import {
  type Archived,
  findArchived,
  joinArchived,
  listArchivedHandles,
  orderArchives,
} from "../../survive/recall/archive-lines.ts";
import { nameApart, type Stored } from "../../survive/recall/recall.ts";
import { compareText } from "../list-files.ts";
import { readQuietly } from "../read-regular-file.ts";
import { listArtifactNames, locateArtifacts, locateDataArtifacts } from "./artifact-folder.ts";
import type { StoredArtifact } from "./keep-artifact.ts";
import { listArtifacts, listHandles, readArtifact, type StoredBytes } from "./read-artifacts.ts";
import { type StoreResult, succeed } from "./store-result.ts";

interface OriginalPlaces {
  readonly project: string;
  /** Plimsoll's own folder, below the client's configuration, for projects that cannot be written. */
  readonly dataFolder: string;
  /** The ids of the project's sessions, most likely first. */
  sessionIds(): readonly string[];
}

export interface Originals {
  read(name: string): StoreResult<StoredBytes>;
  list(): { readonly artifacts: readonly StoredArtifact[]; readonly unreadable: number };
  /** Every handle that this person can read. */
  handles(): readonly string[];
  /** What one session stored: full hashes, and the handles of what it split. */
  handlesOf(sessionId: string): readonly string[];
}

export function openProjectOriginals(places: OriginalPlaces): Originals {
  const own = locateArtifacts(places.project, places.dataFolder);
  const shared = locateDataArtifacts(places.dataFolder);
  const sessionFolders = (): readonly string[] =>
    places.sessionIds().map((id) => path.join(places.dataFolder, "sessions", id));
  return {
    read(name) {
      const first = readArtifact(own, name);
      if (first.ok) return first;
      const second = readArtifact(shared, name);
      if (second.ok) return second;
      const archived = readArchived(sessionFolders(), name);
      if (archived !== undefined) return succeed(archived);
      return first.problem.code === "notFound" ? second : first;
    },
    list() {
      const kept = listArtifacts(own);
      const elsewhere = listArtifacts(shared);
      if (elsewhere.artifacts.length === 0) return kept;
      // The folder is shared by all projects: what another project's sessions stored there is not listed.
      const sessions = new Set(places.sessionIds());
      const artifacts = elsewhere.artifacts.filter(({ sessionId }) => sessions.has(sessionId));
      const all = [...kept.artifacts, ...artifacts].sort((one, other) => compareText(one.generated, other.generated));
      return { artifacts: all, unreadable: kept.unreadable };
    },
    handles: () => [...listHandles(own), ...listHandles(shared), ...sessionFolders().flatMap(listArchive)],
    handlesOf(sessionId) {
      if (sessionId === "") return [];
      const records = [own, shared].flatMap((folder) => listArtifacts(folder).artifacts);
      const stored = records
        .filter((record) => record.sessionId === sessionId)
        .map(({ sha256: hash }) => `plimsoll:${hash}`);
      return [...new Set([...stored, ...listArchive(path.join(places.dataFolder, "sessions", sessionId))])];
    },
  };
}

/** A segment of ledger that was too long for a file is split in the archive of its session. */
function readArchived(folders: readonly string[], name: string): StoredBytes | undefined {
  const digits = /^(?:plimsoll:)?([0-9a-f]{6,64})$/i.exec(name)?.[1]?.toLowerCase();
  if (digits === undefined) return undefined;
  for (const folder of folders) {
    const text = readArchive(folder, `plimsoll:${digits}`);
    const hash = text === undefined ? "" : sha256(text);
    if (text !== undefined && hash.startsWith(digits)) return { sha256: hash, bytes: encodeUtf8(text) };
  }
  return undefined;
}

const MAX_ARCHIVE_BYTES = Number.POSITIVE_INFINITY;

/** What is archived in a session's folder under a handle or a call's id, from the newest compaction that archived it. */
export function readArchive(sessionFolder: string, name: string): string | undefined {
  const pieces: Archived[] = [];
  let foundIn: number | undefined;
  for (const file of orderArchives(listArtifactNames(sessionFolder))) {
    if (foundIn !== undefined && file.compaction !== foundIn) break;
    const found = findArchived(readQuietly(path.join(sessionFolder, file.name), MAX_ARCHIVE_BYTES), name);
    pieces.push(...found);
    if (found.length > 0) foundIn = file.compaction;
  }
  return joinArchived(pieces);
}

function listArchive(sessionFolder: string): readonly string[] {
  return orderArchives(listArtifactNames(sessionFolder)).flatMap(({ name }) =>
    listArchivedHandles(readQuietly(path.join(sessionFolder, name), MAX_ARCHIVE_BYTES)),
  );
}

export function readStored({ read }: Pick<Originals, "read">, digits: string): Stored | undefined {
  const found = read(digits);
  if (found.ok) {
    const { bytes, sha256 } = found.value;
    return decodeText(bytes) ?? { why: `${sha256} contains ${bytes.length} bytes that are not text.` };
  }
  const { code, detail, hashes } = found.problem;
  if (hashes) return { several: nameApart(hashes) };
  return code === "notFound" ? undefined : { why: `${detail}.` };
}

/** Uses the platform's decoder: the portable one takes 0.2 s for 5 MB, and every page of a recall decodes the whole. */
export function decodeText(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8") : undefined;
}
