import {
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import path from "node:path";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { writeAtomically } from "../../../files/private-files.ts";
import { MAX_SETTINGS_BYTES } from "../../../hosts/claude-code/disk/installed.ts";
import { CliError } from "../command.ts";
import { parseJsonText } from "./json-text.ts";

export { locateSettings, type Places } from "../../../hosts/claude-code/disk/installed.ts";

/** A settings file of the client; no text means no file. */
export interface SettingsFile {
  readonly path: string;
  readonly text: string | undefined;
  readonly settings: JsonObject;
}

/** Members that we write into. If one is of another type, the client refuses the file, and so do we. */
const OBJECTS = ["extraKnownMarketplaces", "enabledPlugins", "hooks", "env", "permissions", "skillOverrides"];
const NEW_FILE_MODE = 0o600;

/** Never touches a file that is not valid JSON: the error says where it breaks and what to do. */
export function readSettingsFile(file: string): SettingsFile {
  if (!existsSync(file)) {
    if (lstatSync(file, { throwIfNoEntry: false })) throw new CliError(`${file} is a broken link: remove it first`);
    return { path: file, text: undefined, settings: {} };
  }
  const status = statSync(file);
  // A pipe or a device would be read without end.
  if (!status.isFile()) throw new CliError(`${file} is not a regular file: replace it with one`);
  if (status.size > MAX_SETTINGS_BYTES)
    throw new CliError(`${file} is too large for a settings file: nothing was changed`);
  const bytes = readFileSync(file);
  const text = bytes.toString("utf8");
  if (!bytes.equals(Buffer.from(text, "utf8"))) throw new CliError(`${file} is not UTF-8 text: nothing was changed`);
  return { path: file, text, settings: requireObject(file, text) };
}

function requireObject(file: string, text: string): JsonObject {
  const way = "correct it (an editor with JSON support shows where), then run this again; nothing was changed";
  let value: unknown;
  try {
    value = parseJsonText(text);
  } catch (error) {
    throw new CliError(`${file} is not valid JSON (${error instanceof Error ? error.message : error}): ${way}`);
  }
  if (!isObject(value)) throw new CliError(`${file} contains no JSON object: ${way}`);
  const wrong = OBJECTS.find((key) => value[key] !== undefined && !isObject(value[key]));
  if (wrong !== undefined) throw new CliError(`"${wrong}" in ${file} is not an object: ${way}`);
  return value;
}

/** A project's file comes with the project, so a link in it could make us write anywhere. */
export function refuseLink(file: string): void {
  for (const place of [path.dirname(file), file])
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new CliError(`${place} is a symbolic link: replace it with its target`);
}

/** Writes atomically; the mode and links of the person's file stay. */
export function writeSettingsFile(file: string, text: string | undefined): void {
  if (text === undefined) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const target = existsSync(file) ? realpathSync(file) : file;
  const mode = existsSync(target) ? statSync(target).mode & 0o777 : NEW_FILE_MODE;
  writeAtomically(target, text, { isDurable: true, mode });
}

/** Copies the file under a new name next to it; `undefined` if there is no file. */
export function backUp(file: string, nowMs: number): string | undefined {
  if (!existsSync(file)) return undefined;
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, "");
  for (let count = 1; ; count++) {
    const backup = `${file}.plimsoll-backup-${time}${count === 1 ? "" : `-${count}`}`;
    if (existsSync(backup)) continue;
    copyFileSync(file, backup, constants.COPYFILE_EXCL);
    return backup;
  }
}

/** Removes an empty folder and its empty parents, up to the person's home. */
export function removeEmpty(folder: string, home: string): void {
  for (let at = folder; home !== "" && at.startsWith(`${home}${path.sep}`); at = path.dirname(at))
    try {
      rmdirSync(at);
    } catch {
      // Not empty.
      return;
    }
}
