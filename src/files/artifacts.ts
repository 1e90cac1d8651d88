import { locateArtifacts } from "./artifact-folder.ts";
import { type ArtifactToKeep, keepArtifact, type StoredArtifact } from "./keep-artifact.ts";
import { type Pruned, type PruneOptions, pruneArtifacts } from "./prune-artifacts.ts";
import { listArtifacts, readArtifact, type StoredBytes } from "./read-artifacts.ts";
import { attempt, type StoreResult } from "./store-result.ts";
import { type Verification, verifyArtifacts } from "./verify-artifacts.ts";

/** The originals of one project. Every answer is a result: a full disk costs a fold, never a turn. */
export interface ArtifactStore {
  /** The original first, then the readable file, then the record that lists it. */
  keep(artifact: ArtifactToKeep): StoreResult<StoredArtifact>;
  list(): ReturnType<typeof listArtifacts>;
  /** By handle, by the first digits of a hash, or by the name of a readable file. The bytes are checked against their hash. */
  read(name: string): StoreResult<StoredBytes>;
  verify(): Verification;
  prune(options: PruneOptions): StoreResult<Pruned>;
}

/** With a data folder, only what that person's sessions kept there or what they agreed to is read. */
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
