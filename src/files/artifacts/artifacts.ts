import path from "node:path";
import { quietly } from "../../core/quietly.ts";
import { sha256 } from "../../core/sha256.ts";
import { readPlainBytes } from "../private-files.ts";
import { type ArtifactFolder, locateArtifacts, readRecords } from "./artifact-folder.ts";
import { type ArtifactToKeep, keepArtifact, type StoredArtifact } from "./keep-artifact.ts";
import { type Pruned, type PruneOptions, pruneArtifacts } from "./prune-artifacts.ts";
import { listArtifacts, listObjects, readArtifact, readStoredObject, type StoredBytes } from "./read-artifacts.ts";
import { attempt, type StoreResult } from "./store-result.ts";

/** The originals of one project. Every answer is a result: a full disk costs a fold, never a turn. */
export interface ArtifactStore {
  keep(artifact: ArtifactToKeep): StoreResult<StoredArtifact>;
  list(): ReturnType<typeof listArtifacts>;
  /** By handle, by the first digits of a hash, or by the name of a readable file. The bytes are checked against their hash. */
  read(name: string): StoreResult<StoredBytes>;
  verify(): Verification;
  prune(options: PruneOptions): StoreResult<Pruned>;
}

/** With a data folder, reads only what that person's sessions stored there or what they agreed to. */
export function createArtifactStore(project: string, nowMs: () => number, dataFolder?: string): ArtifactStore {
  const folder = locateArtifacts(project, dataFolder);
  return {
    keep: (artifact) => keepArtifact(folder, artifact, nowMs()),
    list: () => listArtifacts(folder),
    read: (name) => readArtifact(folder, name),
    verify: () => verifyArtifacts(folder),
    prune: (options) => attempt("unwritable", () => pruneArtifacts(folder, nowMs(), options)),
  };
}

interface Verification {
  readonly checked: number;
  readonly sound: number;
  readonly faults: readonly Fault[];
  /** Originals without a record: stored, but not listed. */
  readonly unlisted: number;
}

interface Fault {
  readonly name: string;
  readonly fault: "objectMissing" | "objectChanged" | "fileMissing" | "fileChanged" | "recordUnreadable";
}

function verifyArtifacts(folder: ArtifactFolder): Verification {
  const { records, unreadable } = readRecords(folder);
  const faults: Fault[] = Array.from({ length: unreadable }, () => ({ name: "records", fault: "recordUnreadable" }));
  const objects = new Set(listObjects(folder));
  for (const hash of objects)
    if (sha256(quietly(() => readStoredObject(folder, hash), new Uint8Array())) !== hash)
      faults.push({ name: hash, fault: "objectChanged" });
  const listed = new Set<string>();
  for (const { file, sha256: hash } of records) {
    listed.add(hash);
    if (!objects.has(hash)) faults.push({ name: file, fault: "objectMissing" });
    const bytes = quietly(() => readPlainBytes(path.join(folder.root, file)), undefined);
    if (!bytes) faults.push({ name: file, fault: "fileMissing" });
    else if (sha256(cutHeader(bytes)) !== hash) faults.push({ name: file, fault: "fileChanged" });
  }
  const checked = objects.size + records.length;
  const unlisted = [...objects].filter((hash) => !listed.has(hash)).length;
  return { checked, sound: checked - (faults.length - unreadable), faults, unlisted };
}

/** The output below the four lines of header, as bytes. */
function cutHeader(bytes: Uint8Array): Uint8Array {
  let at = 0;
  for (let line = 0; line < 4; line++) at = bytes.indexOf(10, at) + 1;
  return bytes.subarray(at);
}
