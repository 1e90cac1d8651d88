import { existsSync } from "node:fs";
import path from "node:path";
import { groupBy } from "../../../core/group-by.ts";
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

/** Every session in it. If this Node cannot read it, the database itself is listed: opening it will say why. */
function listDatabase(database: string): readonly TranscriptFile[] {
  const [file] = listFiles(database, () => true);
  if (!file) return [];
  if (!hasDatabases()) return [{ ...file, project: "", isSubagent: false }];
  try {
    return queryDatabase(database, LISTING).map((row) => ({
      path: `${database}#${textField(row, "id")}`,
      project: textField(row, "directory"),
      bytes: Number(row.bytes) || 0,
      modifiedMs: Number(row.time_updated) || 0,
      isSubagent: textField(row, "parent_id") !== "",
    }));
  } catch {
    return [];
  }
}

const LISTING = `SELECT s.id, s.parent_id, s.directory, s.time_updated,
    (SELECT COALESCE(SUM(LENGTH(p.data)), 0) FROM part p WHERE p.session_id = s.id) AS bytes
  FROM session s ORDER BY s.time_updated DESC`;

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
interface Sqlite {
  readonly DatabaseSync: new (
    file: string,
    options: { readonly readOnly: true },
  ) => {
    prepare(statement: string): { all(...values: readonly string[]): readonly unknown[] };
    close(): void;
  };
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

/** A session in the client's export format. */
function readStored(file: string, sessionId: string): JsonObject {
  const [session] = queryDatabase(file, "SELECT * FROM session WHERE id = ?", sessionId);
  const parts = queryDatabase(file, "SELECT * FROM part WHERE session_id = ? ORDER BY id", sessionId);
  const partsOf = groupBy(parts, (row) => textField(row, "message_id"));
  const rows = queryDatabase(file, "SELECT * FROM message WHERE session_id = ? ORDER BY time_created, id", sessionId);
  const messages = rows.map((row) => {
    return { info: parseData(row), parts: (partsOf.get(textField(row, "id")) ?? []).map(parseData) };
  });
  return { info: session ?? {}, messages };
}

/** The record is JSON, with its id in a separate column. */
function parseData(row: JsonObject): JsonObject {
  const data = parseJson(textField(row, "data"));
  // Invalid JSON is counted as a record without a type.
  return { ...(isObject(data) ? data : {}), id: textField(row, "id") };
}

/** Throws if the file cannot be read. */
function queryDatabase(file: string, statement: string, ...values: readonly string[]): readonly JsonObject[] {
  const sqlite = findSqlite();
  if (!sqlite) throw new Error(NEEDED);
  const database = new sqlite.DatabaseSync(file, { readOnly: true });
  try {
    const rows = database.prepare(statement).all(...values);
    return rows.filter(isObject);
  } finally {
    database.close();
  }
}

/** Loaded on demand: older Nodes have none, and newer ones print a warning as they load it. */
function findSqlite(): Sqlite | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const found: unknown = process.getBuiltinModule?.("node:sqlite");
    return isSqlite(found) ? found : undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function isSqlite(found: unknown): found is Sqlite {
  return typeof found === "object" && found !== null && "DatabaseSync" in found;
}
