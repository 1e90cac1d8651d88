import { chmodSync, lstatSync, readdirSync } from "node:fs";
import path from "node:path";
import { numberField, parseObject, textField } from "../../core/json.ts";
import { quietly } from "../../core/quietly.ts";
import { compareText } from "../list-files.ts";
import { openFolder, openStateFolder, readPlainFile, StoreError, writeIgnoreFile } from "../private-files.ts";
import { fail, type StoreResult, succeed } from "./store-result.ts";

export interface ArtifactFolder {
  /** The path for a reading tool that works in the project. */
  readonly quoted: string;
  readonly project: string;
  readonly root: string;
  readonly objects: string;
  readonly records: string;
  /** Where this person's agreements are recorded, for a folder that may come with a project; `undefined` if all of it is theirs. */
  readonly agreedIn: string | undefined;
}

const QUOTED = ".plimsoll/artifacts";
const PRIVATE = 0o700;

/** Without a data folder the store belongs to its owner alone, such as a gateway's. */
export function locateArtifacts(project: string, dataFolder?: string): ArtifactFolder {
  return { quoted: QUOTED, project, ...locateParts(path.join(project, ...QUOTED.split("/"))), agreedIn: dataFolder };
}

/** The same below Plimsoll's own data, shared by all projects that cannot be written. */
export function locateDataArtifacts(dataFolder: string): ArtifactFolder {
  const root = path.join(dataFolder, "artifacts");
  return { quoted: root, project: dataFolder, ...locateParts(root), agreedIn: undefined };
}

function locateParts(root: string): Pick<ArtifactFolder, "root" | "objects" | "records"> {
  return { root, objects: path.join(root, "objects"), records: path.join(root, "records") };
}

/** `ab/abcd…`: a folder per first two digits, so that none grows without bound. */
export function locateObject({ objects }: ArtifactFolder, sha256: string): string {
  return path.join(objects, sha256.slice(0, 2), sha256);
}

/** Creates the private folders with an ignore file of their own, because the project's belongs to the person. */
export function openArtifactFolder(folder: ArtifactFolder): StoreResult<ArtifactFolder> {
  try {
    openStateFolder(folder.project);
    for (const place of [folder.root, folder.objects, folder.records]) openFolder(place);
    chmodSync(folder.root, PRIVATE);
    writeIgnoreFile(folder.root);
    return succeed(folder);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return fail(error instanceof StoreError ? "unsafeFolder" : "unwritable", detail);
  }
}

/** The first link on the way from the project to a place in its store, the place included. */
export function findLink({ project }: ArtifactFolder, place: string): string | undefined {
  let at = project;
  for (const part of path.relative(project, place).split(path.sep)) {
    at = path.join(at, part);
    // If even looking fails, as below a file in place of a folder, opening it will report why.
    const entry = quietly(() => lstatSync(at, { throwIfNoEntry: false }), undefined);
    if (entry?.isSymbolicLink()) return at;
    // A path cannot continue below a file.
    if (!entry?.isDirectory()) return undefined;
  }
  return undefined;
}

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
  const fields = parseObject(text);
  const file = textField(fields, "file");
  const sha256 = textField(fields, "sha256");
  // A name that leads out of the folder was not written by us.
  if (!/^[\w.-]{1,255}$/.test(file) || file.startsWith(".") || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
  return {
    file,
    sha256,
    bytes: numberField(fields, "bytes") ?? 0,
    tool: textField(fields, "tool"),
    command: textField(fields, "command"),
    sessionId: textField(fields, "sessionId"),
    generated: textField(fields, "generated"),
  };
}

/** Every readable record, oldest first; `unreadable` counts the others. */
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

/** The names in a folder of the store; empty if a link leads to it. */
export function listOwnNames(folder: ArtifactFolder, place: string): readonly string[] {
  return findLink(folder, place) === undefined ? listArtifactNames(place) : [];
}

/** Empty if there is no folder. */
export function listArtifactNames(folder: string): readonly string[] {
  return quietly(() => readdirSync(folder).sort(), []);
}
