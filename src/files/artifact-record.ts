import { readdirSync } from "node:fs";
import path from "node:path";
import { type ArtifactFolder, findLink } from "./artifact-folder.ts";
import { readPlainFile } from "./private-files.ts";

/** What is known of one stored output, beside its bytes. */
export interface ArtifactRecord {
  /** The name of the readable file, below the artifacts' folder. */
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly tool: string;
  readonly command: string;
  readonly sessionId: string;
  /** ISO 8601. */
  readonly generated: string;
}

/** A record is one short line. */
const MAX_BYTES = 1 << 16;

export function renderRecord(record: ArtifactRecord): string {
  return `${JSON.stringify(record)}\n`;
}

function parseRecord(text: string): ArtifactRecord | undefined {
  const fields = parseFields(text);
  const word = (name: string): string => {
    const value = fields.get(name);
    return typeof value === "string" ? value : "";
  };
  const bytes = fields.get("bytes");
  const [file, sha256] = [word("file"), word("sha256")];
  // A name that leads out of the folder is not one that we wrote.
  if (!/^[\w.-]{1,255}$/.test(file) || file.startsWith(".") || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
  return {
    file,
    sha256,
    bytes: typeof bytes === "number" ? bytes : 0,
    tool: word("tool"),
    command: word("command"),
    sessionId: word("sessionId"),
    generated: word("generated"),
  };
}

/** Every record that can be read, oldest first; `unreadable` counts the others. */
export function readRecords(folder: ArtifactFolder): {
  readonly records: readonly ArtifactRecord[];
  readonly unreadable: number;
} {
  const records: ArtifactRecord[] = [];
  let unreadable = 0;
  for (const name of listOwnNames(folder, folder.records)) {
    if (!name.endsWith(".json") || name.startsWith(".")) continue;
    const record = parseRecord(readPlainFile(path.join(folder.records, name), MAX_BYTES)?.text ?? "");
    if (record) records.push(record);
    else unreadable++;
  }
  records.sort((one, other) => compareText(one.generated, other.generated) || compareText(one.file, other.file));
  return { records, unreadable };
}

export function locateRecord(folder: ArtifactFolder, file: string): string {
  return path.join(folder.records, `${file}.json`);
}

/** The names in a folder of the store; none where a link leads to it. */
export function listOwnNames(folder: ArtifactFolder, place: string): readonly string[] {
  return findLink(folder, place) === undefined ? listNames(place) : [];
}

/** No folder, no names. */
export function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function parseFields(text: string): ReadonlyMap<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? new Map(Object.entries(value)) : new Map();
  } catch {
    return new Map();
  }
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
