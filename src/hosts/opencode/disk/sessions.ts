import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import type { JsonObject } from "../../../core/json.ts";
import { listFiles } from "../../../files/list-files.ts";
import { readHead, readObject } from "../../../files/read-regular-file.ts";
import { type FilesOfClient, filesOfClient } from "../../files-of-client.ts";
import type { Environment, TranscriptFile } from "../../host.ts";
import { findTextField } from "../../tool-table.ts";
import { DATABASE_NAME, hasDatabases, listStored, parsePlace, readStored, type StoredSession } from "./database.ts";

/** No export comes near this. */
const MOST_EXPORT_BYTES = 512 << 20;

/** `opencode` in `XDG_DATA_HOME`, or in `.local/share` of the person's home. */
function locateHome(environment: Environment): string {
  const data = environment.XDG_DATA_HOME || path.join(environment.HOME || homedir(), ".local", "share");
  return path.join(data, "opencode");
}

/** The database, or exported files: those of a folder in which there is no database. */
function listTranscripts(root: string, isOwn: (path: string) => boolean = () => true): readonly TranscriptFile[] {
  const inFolder = path.join(root, DATABASE_NAME);
  const place = parsePlace(existsSync(inFolder) ? inFolder : root);
  if (place) return listDatabase(place.database).filter(({ path: file }) => place.sessionId === "" || file === root);
  const files = listFiles(root, (name) => name.endsWith(".json")).filter((file) => isOwn(file.path));
  return files
    .filter((file) => beginsExport(readHead(file.path)))
    .map((file) => ({ ...file, ...describeExport(file.path) }));
}

/** Where this Node cannot read it, the database stands for all of them: whoever opens it is told why. */
function listDatabase(database: string): readonly TranscriptFile[] {
  const [file] = listFiles(database, () => true);
  if (!file) return [];
  if (!hasDatabases()) return [{ ...file, project: "", isSubagent: false }];
  return listQuietly(database).map(({ id, parentId, directory, bytes, updatedMs }) => ({
    path: `${database}#${id}`,
    project: directory,
    bytes,
    modifiedMs: updatedMs,
    isSubagent: parentId !== "",
  }));
}

function listQuietly(database: string): readonly StoredSession[] {
  try {
    return listStored(database);
  } catch {
    return [];
  }
}

export const openCodeSessions: FilesOfClient = filesOfClient(
  {
    locateHome,
    locateTranscripts: locateHome,
    isNamed: (name) => name.endsWith(".json"),
    describe: describeExport,
    nameSession: (file) => parsePlace(file)?.sessionId || path.basename(file, ".json"),
  },
  { listTranscripts },
);

function describeExport(file: string): Pick<TranscriptFile, "project" | "isSubagent"> {
  const head = readHead(file);
  return { project: findTextField(head, "directory"), isSubagent: /"parentID"\s{0,4}:\s{0,4}"ses_/.test(head) };
}

export function isOwnPath(file: string): boolean {
  return parsePlace(file) !== undefined;
}

export function beginsExport(head: string): boolean {
  return /^\s{0,9}\{\s{0,9}"info"\s{0,4}:\s{0,4}\{[^{}]{0,200}"id"\s{0,4}:\s{0,4}"ses_/.test(head);
}

export function readSession(file: string): JsonObject {
  const place = parsePlace(file);
  return place ? readStored(place.database, place.sessionId) : (readObject(file, MOST_EXPORT_BYTES) ?? {});
}
