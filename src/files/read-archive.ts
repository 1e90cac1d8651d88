import { readFileSync } from "node:fs";
import path from "node:path";
import {
  type Archived,
  findArchived,
  joinArchived,
  listArchivedHandles,
  orderArchives,
} from "../survive/recall/archive-lines.ts";
import { listNames } from "./artifact-record.ts";

/** What is archived in a session's folder under a handle or a call's id, of the newest compaction that archived it. */
export function readArchive(sessionFolder: string, name: string): string | undefined {
  const pieces: Archived[] = [];
  let foundIn: number | undefined;
  for (const file of orderArchives(listNames(sessionFolder))) {
    if (foundIn !== undefined && file.compaction !== foundIn) break;
    const found = findArchived(readQuietly(path.join(sessionFolder, file.name)), name);
    pieces.push(...found);
    if (found.length > 0) foundIn = file.compaction;
  }
  return joinArchived(pieces);
}

export function listArchive(sessionFolder: string): readonly string[] {
  return orderArchives(listNames(sessionFolder)).flatMap(({ name }) =>
    listArchivedHandles(readQuietly(path.join(sessionFolder, name))),
  );
}

function readQuietly(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
