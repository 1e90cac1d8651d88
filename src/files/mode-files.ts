import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Mode } from "../policy/mode/mode.ts";
import { type ActiveMode, type ModeFiles, NO_MODE, parseActiveMode } from "../policy/mode/parse-active-mode.ts";
import { openStateFolder, readPlainFile, writePrivateFile } from "./private-files.ts";

const MAX_MODE_BYTES = 4096;
const FOLDERS: Readonly<Record<keyof ModeFiles, string>> = { own: ".plimsoll", legacy: ".rune" };

/** The file that sets a project's mode. */
export function locateModeFile(directory: string, file: keyof ModeFiles): string {
  return path.join(directory, FOLDERS[file], "active-context.md");
}

export function readActiveMode(directory: string): ActiveMode {
  return parseActiveMode({ own: readModeFile(directory, "own"), legacy: readModeFile(directory, "legacy") });
}

/** A file that cannot be read sets nothing, and is reported as the bad name that it is. */
function readModeFile(directory: string, file: keyof ModeFiles): string | undefined {
  const found = readPlainFile(locateModeFile(directory, file), MAX_MODE_BYTES);
  return found?.problem === undefined ? found?.text : `the file ${found.problem}`;
}

/** `undefined` sets no mode: by no file, or, where an older file would then decide, by a word of ours. */
export function writeActiveMode(directory: string, mode: Mode | undefined): void {
  const own = locateModeFile(directory, "own");
  const isDecidedElsewhere = readModeFile(directory, "legacy") !== undefined;
  if (mode === undefined && !isDecidedElsewhere) {
    if (existsSync(path.dirname(own)))
      rmSync(path.join(openStateFolder(directory), path.basename(own)), { force: true });
    return;
  }
  writePrivateFile(path.join(openStateFolder(directory), path.basename(own)), `${mode ?? NO_MODE}\n`);
}

/** The rules of a mode, from the package; `undefined` where they are missing. */
export function readModeText(mode: Mode): string | undefined {
  const here = path.dirname(fileURLToPath(import.meta.url));
  // One folder up from the bundle, two from the plain modules.
  for (const place of ["../contexts", "../../contexts"]) {
    const file = path.join(here, place, `${mode}.md`);
    if (existsSync(file)) return readFileSync(file, "utf8");
  }
  return undefined;
}
