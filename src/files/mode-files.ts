import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import {
  type ActiveMode,
  type Mode,
  type ModeFiles,
  NO_MODE,
  parseActiveMode,
} from "../policy/mode/parse-active-mode.ts";
import { openStateFolder, readPlainFile, writePrivateFile } from "./private-files.ts";

const MAX_MODE_BYTES = 4096;
const FOLDERS: Readonly<Record<keyof ModeFiles, string>> = { own: ".plimsoll", legacy: ".rune" };

export function nameModeFile(file: keyof ModeFiles): string {
  return `${FOLDERS[file]}/active-context.md`;
}

export function readActiveMode(project: string): ActiveMode {
  return parseActiveMode({ own: readModeFile(project, "own"), legacy: readModeFile(project, "legacy") });
}

/** An unreadable file sets nothing, and is reported as an invalid name. */
function readModeFile(project: string, file: keyof ModeFiles): string | undefined {
  const found = readPlainFile(path.join(project, nameModeFile(file)), MAX_MODE_BYTES);
  return found?.problem === undefined ? found?.text : `the file ${found.problem}`;
}

/** `undefined` sets no mode: the file is removed or, if an older file would then decide, overwritten with a word of ours. */
export function writeActiveMode(project: string, mode: Mode | undefined): void {
  const own = path.join(project, nameModeFile("own"));
  const isDecidedElsewhere = readModeFile(project, "legacy") !== undefined;
  if (mode === undefined && !isDecidedElsewhere) {
    if (existsSync(path.dirname(own))) rmSync(path.join(openStateFolder(project), path.basename(own)), { force: true });
    return;
  }
  openStateFolder(project);
  writePrivateFile(own, `${mode ?? NO_MODE}\n`);
}

export function readModeText(mode: Mode): string | undefined {
  const here = path.dirname(fileURLToPath(import.meta.url));
  // One folder up from the bundle, two from the plain modules.
  for (const place of ["../contexts", "../../contexts"]) {
    const file = path.join(here, place, `${mode}.md`);
    if (existsSync(file)) return readFileSync(file, "utf8");
  }
  return undefined;
}
