import { existsSync } from "node:fs";
import path from "node:path";
import { isObject, type JsonObject, parseJson, textField } from "../../../core/json.ts";
import { listFiles } from "../../../files/list-files.ts";
import { readHead, readObject } from "../../../files/read-regular-file.ts";
import { type FilesOfClient, filesOfClient } from "../../files-of-client.ts";
import type { TranscriptFile } from "../../host.ts";
import { findTextField } from "../../tool-table.ts";

/** No export comes near this. */
const MOST_EXPORT_BYTES = 512 << 20;

/** The database or, for a folder without one, the exported files in it. */
function listTranscripts(root: string, isOwn: (path: string) => boolean = () => true): readonly TranscriptFile[] {
  const inFolder = path.join(root, DATABASE_NAME);
  const place = parsePlace(existsSync(inFolder) ? inFolder : root);
  if (place) return listDatabase(place.database).filter(({ path: file }) => place.sessionId === "" || file === root);
  const files = listFiles(root, (name) => name.endsWith(".json")).filter((file) => isOwn(file.path));
  return files
    .filter((file) => beginsExport(readHead(file.path)))
    .map((file) => ({ ...file, ...describeExport(file.path) }));
}

/** If this Node cannot read it, the database itself is listed: opening it will say why. */
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
    homeVariable: { name: "XDG_DATA_HOME", otherwise: "~/.local/share", folder: "opencode" },
    locateTranscripts: (home) => home,
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

/** The part of `node:sqlite` that is used here. */
interface Database {
  prepare(statement: string): { all(...values: readonly string[]): readonly unknown[] };
  close(): void;
}

interface StoredSession {
  readonly id: string;
  readonly parentId: string;
  readonly directory: string;
  readonly updatedMs: number;
  readonly bytes: number;
}

const NEEDED = "reading OpenCode's database needs Node 22.5 or later; or pass files of: opencode export SESSION";

const DATABASE_NAME = "opencode.db";
/** A session in it is named `opencode.db#<id>`. */
const IN_DATABASE = /^(.*[/\\]opencode[\w.-]*\.db)(?:#(\w{1,100}))?$/s;

function parsePlace(file: string): { readonly database: string; readonly sessionId: string } | undefined {
  const [, database, sessionId = ""] = IN_DATABASE.exec(path.resolve(file)) ?? [];
  return database === undefined ? undefined : { database, sessionId };
}

export function hasDatabases(): boolean {
  return findSqlite() !== undefined;
}

/** Every session in it; throws if the file cannot be read. */
function listStored(file: string): readonly StoredSession[] {
  return withDatabase(file, (database) =>
    database
      .prepare(
        `SELECT s.id, s.parent_id, s.directory, s.time_updated,
          (SELECT COALESCE(SUM(LENGTH(p.data)), 0) FROM part p WHERE p.session_id = s.id) AS bytes
        FROM session s ORDER BY s.time_updated DESC`,
      )
      .all()
      .filter(isObject)
      .map((row) => ({
        id: textField(row, "id"),
        parentId: textField(row, "parent_id"),
        directory: textField(row, "directory"),
        updatedMs: Number(row.time_updated) || 0,
        bytes: Number(row.bytes) || 0,
      })),
  );
}

/** A session in the client's export format. */
function readStored(file: string, sessionId: string): JsonObject {
  return withDatabase(file, (database) => {
    const [session] = database.prepare("SELECT * FROM session WHERE id = ?").all(sessionId).filter(isObject);
    const parts = new Map<string, JsonObject[]>();
    for (const row of database.prepare("SELECT * FROM part WHERE session_id = ? ORDER BY id").all(sessionId)) {
      if (!isObject(row)) continue;
      const ofMessage = parts.get(textField(row, "message_id")) ?? [];
      parts.set(textField(row, "message_id"), ofMessage);
      ofMessage.push(parseData(row));
    }
    const messages = database
      .prepare("SELECT * FROM message WHERE session_id = ? ORDER BY time_created, id")
      .all(sessionId)
      .filter(isObject)
      .map((row) => ({ info: parseData(row), parts: parts.get(textField(row, "id")) ?? [] }));
    return { info: session ?? {}, messages };
  });
}

/** The record is JSON, with its id in a separate column. */
function parseData(row: JsonObject): JsonObject {
  const data = parseJson(textField(row, "data"));
  // Invalid JSON is counted as a record without a type.
  return { ...(isObject(data) ? data : {}), id: textField(row, "id") };
}

function withDatabase<Value>(file: string, ask: (database: Database) => Value): Value {
  const sqlite = findSqlite();
  if (!sqlite) throw new Error(NEEDED);
  const database: unknown = Reflect.construct(sqlite, [file, { readOnly: true }]);
  if (!isDatabase(database)) throw new Error(NEEDED);
  try {
    return ask(database);
  } finally {
    database.close();
  }
}

function isDatabase(value: unknown): value is Database {
  return typeof value === "object" && value !== null && "prepare" in value && "close" in value;
}

type Constructor = new (...values: readonly unknown[]) => unknown;

/** Loaded on demand: older Nodes have none, and newer ones print a warning as they load it. */
function findSqlite(): Constructor | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const found: unknown = process.getBuiltinModule?.("node:sqlite");
    const made =
      typeof found === "object" && found !== null && "DatabaseSync" in found ? found.DatabaseSync : undefined;
    return isConstructor(made) ? made : undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function isConstructor(value: unknown): value is Constructor {
  return typeof value === "function";
}
