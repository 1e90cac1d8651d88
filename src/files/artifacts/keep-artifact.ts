import { lstatSync, readFileSync, utimesSync } from "node:fs";
import path from "node:path";
import { quietly } from "../../core/quietly.ts";
import { sha256 } from "../../core/sha256.ts";
import { encodeUtf8 } from "../../core/utf8.ts";
import { nameArtifactFile, renderArtifactFile } from "../../fold/artifact-file.ts";
import { nameHandle } from "../../fold/marker.ts";
import { redactSecrets } from "../../fold/redact-secrets.ts";
import { recordOriginal } from "../node-agreement.ts";
import { openFolder, writeAtomically, writeUnderFreeName } from "../private-files.ts";
import {
  type ArtifactFolder,
  type ArtifactRecord,
  locateObject,
  locateRecord,
  openArtifactFolder,
  renderRecord,
} from "./artifact-folder.ts";
import { attempt, type StoreResult } from "./store-result.ts";

export interface ArtifactToKeep {
  readonly output: string | Uint8Array;
  readonly tool: string;
  readonly command?: string | undefined;
  readonly sessionId?: string | undefined;
}

export interface StoredArtifact extends ArtifactRecord {
  readonly handle: string;
  /** As quoted in a marker, relative to the project. */
  readonly path: string;
}

/** Writes the original, then the readable file, then the record that lists it. A hook that folds one result loads nothing else. */
export function keepArtifact(
  folder: ArtifactFolder,
  { output, tool, command = "", sessionId = "" }: ArtifactToKeep,
  nowMs: number,
): StoreResult<StoredArtifact> {
  const opened = openArtifactFolder(folder);
  if (!opened.ok) return opened;
  return attempt("unwritable", () => {
    const bytes = typeof output === "string" ? encodeUtf8(output) : output;
    const hash = sha256(bytes);
    // Recorded before it is stored: an original without a record could not be read back.
    if (folder.agreedIn !== undefined) recordOriginal(folder.agreedIn, hash);
    keepObject(folder, hash, bytes);
    const generated = new Date(nowMs).toISOString();
    const header = encodeUtf8(renderArtifactFile({ tool, generated, command, output: "" }));
    const file = writeUnderFreeName(folder.root, Buffer.concat([header, bytes]), (copy) =>
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
}

export function describeArtifact(folder: ArtifactFolder, record: ArtifactRecord): StoredArtifact {
  return { ...record, handle: nameHandle(record.sha256), path: `${folder.quoted}/${record.file}` };
}

/** On disk before anything leaves the conversation. An existing original is touched, as still in use; a damaged one or a link is replaced. */
export function keepObject(folder: ArtifactFolder, sha256: string, bytes: Uint8Array): void {
  const file = locateObject(folder, sha256);
  openFolder(path.dirname(file));
  const isThere = quietly(() => lstatSync(file).isFile() && readFileSync(file).equals(bytes), false);
  if (isThere) {
    const now = new Date();
    utimesSync(file, now, now);
  } else writeAtomically(file, bytes, { isDurable: true });
}
