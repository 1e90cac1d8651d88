import path from "node:path";
import { sha256 } from "../core/sha256.ts";
import type { ArtifactFolder } from "./artifact-folder.ts";
import { readRecords } from "./artifact-record.ts";
import { readPlainBytes } from "./private-files.ts";
import { listObjects, readObject } from "./read-artifacts.ts";

/** What a check of every stored byte found. */
export interface Verification {
  readonly checked: number;
  readonly sound: number;
  readonly faults: readonly Fault[];
  /** Originals without a record: kept, but not listed. */
  readonly unlisted: number;
}

export interface Fault {
  readonly name: string;
  readonly fault: "objectMissing" | "objectChanged" | "fileMissing" | "fileChanged" | "recordUnreadable";
}

export function verifyArtifacts(folder: ArtifactFolder): Verification {
  const { records, unreadable } = readRecords(folder);
  const faults: Fault[] = Array.from({ length: unreadable }, () => ({ name: "records", fault: "recordUnreadable" }));
  const objects = new Set(listObjects(folder));
  const broken = new Set<string>();
  for (const hash of objects) {
    if (sha256(tryRead(() => readObject(folder, hash)) ?? new Uint8Array()) === hash) continue;
    broken.add(hash);
    faults.push({ name: hash, fault: "objectChanged" });
  }
  const listed = new Set<string>();
  for (const { file, sha256: hash } of records) {
    listed.add(hash);
    if (!objects.has(hash)) faults.push({ name: file, fault: "objectMissing" });
    const bytes = tryRead(() => readPlainBytes(path.join(folder.root, file)));
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

function tryRead(read: () => Uint8Array): Uint8Array | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
