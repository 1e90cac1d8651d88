import { sha256 } from "../core/sha256.ts";
import { encodeUtf8 } from "../core/utf8.ts";
import { nameArtifactFile, renderArtifactFile } from "../fold/artifact-file.ts";
import { nameHandle } from "../fold/marker.ts";
import { redactSecrets } from "../fold/redact-secrets.ts";
import { type ArtifactFolder, openArtifactFolder } from "./artifact-folder.ts";
import { type ArtifactRecord, locateRecord, renderRecord } from "./artifact-record.ts";
import { keepObject } from "./keep-object.ts";
import { recordOriginal } from "./node-agreement.ts";
import { attempt, type StoreResult } from "./store-result.ts";
import { writeAtomically, writeUnderFreeName } from "./write-file.ts";

/** Something to keep before it leaves the conversation. */
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

/**
 * The original first, then the readable file, then the record that lists it. Apart from the rest of the store, because a hook
 * that folds one result needs nothing else.
 */
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
    // Before it is kept: an original that no record names could not be read back.
    if (folder.agreedIn !== undefined) recordOriginal(folder.agreedIn, hash);
    keepObject(folder, hash, bytes);
    const generated = new Date(nowMs).toISOString();
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
}

export function describeArtifact(folder: ArtifactFolder, record: ArtifactRecord): StoredArtifact {
  return { ...record, handle: nameHandle(record.sha256), path: `${folder.quoted}/${record.file}` };
}

function joinBytes(head: Uint8Array, body: Uint8Array): Uint8Array {
  const joined = new Uint8Array(head.length + body.length);
  joined.set(head);
  joined.set(body, head.length);
  return joined;
}
