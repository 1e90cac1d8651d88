import { existsSync, mkdirSync, statSync, utimesSync } from "node:fs";
import path from "node:path";
import { sha256 } from "../core/sha256.ts";
import { encodeUtf8 } from "../core/utf8.ts";
import { nameArtifactFile, renderArtifactFile } from "../fold/artifact-file.ts";
import { redactSecrets } from "../fold/redact-secrets.ts";
import { locateArtifacts, locateObject, openArtifactFolder } from "./artifact-folder.ts";
import { type ArtifactRecord, locateRecord, renderRecord } from "./artifact-record.ts";
import { type Pruned, type PruneOptions, pruneArtifacts } from "./prune-artifacts.ts";
import {
  describeArtifact,
  listArtifacts,
  readArtifact,
  type StoredArtifact,
  type StoredBytes,
} from "./read-artifacts.ts";
import { attempt, type StoreResult } from "./store-result.ts";
import { type Verification, verifyArtifacts } from "./verify-artifacts.ts";
import { writeAtomically, writeUnderFreeName } from "./write-file.ts";

/** Something to keep before it leaves the conversation. */
export interface ArtifactToKeep {
  readonly output: string | Uint8Array;
  readonly tool: string;
  readonly command?: string | undefined;
  readonly sessionId?: string | undefined;
}

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

export function createArtifactStore(project: string, nowMs: () => number): ArtifactStore {
  const folder = locateArtifacts(project);
  const keep = ({ output, tool, command = "", sessionId = "" }: ArtifactToKeep): StoreResult<StoredArtifact> => {
    const opened = openArtifactFolder(folder);
    if (!opened.ok) return opened;
    return attempt("unwritable", () => {
      const bytes = typeof output === "string" ? encodeUtf8(output) : output;
      const hash = sha256(bytes);
      keepObject(locateObject(folder, hash), bytes);
      const generated = new Date(nowMs()).toISOString();
      const header = encodeUtf8(renderArtifactFile({ tool, generated, command, output: "" }));
      const file = writeUnderFreeName(folder.root, joinBytes(header, bytes), (copy) =>
        nameArtifactFile(generated, tool, copy),
      );
      const record: ArtifactRecord = {
        file,
        sha256: hash,
        bytes: bytes.length,
        tool,
        command: redactSecrets(command).slice(0, 1000),
        sessionId,
        generated,
      };
      writeAtomically(locateRecord(folder, file), renderRecord(record));
      return describeArtifact(folder, record);
    });
  };

  return {
    keep,
    list: () => listArtifacts(folder),
    read: (name) => readArtifact(folder, name),
    verify: () => verifyArtifacts(folder),
    prune: (options) => attempt("unwritable", () => pruneArtifacts(folder, nowMs(), options)),
  };
}

/** What is there already is only touched, so that pruning sees it is still in use. */
function keepObject(file: string, bytes: Uint8Array): void {
  if (existsSync(file) && statSync(file).size === bytes.length) {
    const now = new Date();
    utimesSync(file, now, now);
    return;
  }
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeAtomically(file, bytes);
}

function joinBytes(head: Uint8Array, body: Uint8Array): Uint8Array {
  const joined = new Uint8Array(head.length + body.length);
  joined.set(head);
  joined.set(body, head.length);
  return joined;
}
