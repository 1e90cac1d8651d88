import { lstatSync, readFileSync, utimesSync } from "node:fs";
import path from "node:path";
import { type ArtifactFolder, locateObject } from "./artifact-folder.ts";
import { openFolder } from "./private-files.ts";
import { writeAtomically } from "./write-file.ts";

/**
 * An original under its hash, on the disk before anything leaves the conversation. What is there already is only touched, so that
 * pruning sees it is still in use; what is damaged there, or a link, is replaced.
 */
export function keepObject(folder: ArtifactFolder, sha256: string, bytes: Uint8Array): void {
  const file = locateObject(folder, sha256);
  openFolder(path.dirname(file));
  if (isSame(file, bytes)) {
    const now = new Date();
    utimesSync(file, now, now);
  } else writeAtomically(file, bytes, { isDurable: true });
}

function isSame(file: string, bytes: Uint8Array): boolean {
  try {
    return lstatSync(file).isFile() && readFileSync(file).equals(bytes);
  } catch {
    return false;
  }
}
