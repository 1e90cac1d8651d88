import { type Dirent, lstatSync, readdirSync } from "node:fs";
import path from "node:path";

export interface FolderSize {
  readonly files: number;
  readonly bytes: number;
}

/** What lies below a folder; a link counts as itself, and what cannot be read counts as nothing. */
export function measureFolder(folder: string): FolderSize {
  let entries: readonly Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return { files: 0, bytes: 0 };
  }
  let [files, bytes] = [0, 0];
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    const size = entry.isDirectory()
      ? measureFolder(file)
      : { files: 1, bytes: lstatSync(file, { throwIfNoEntry: false })?.size ?? 0 };
    files += size.files;
    bytes += size.bytes;
  }
  return { files, bytes };
}
