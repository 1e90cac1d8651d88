import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Mode } from "../policy/mode/parse-active-mode.ts";
import { type ActiveMode, type ModeFiles, NO_MODE, parseActiveMode } from "../policy/mode/parse-active-mode.ts";
import { WAITS } from "../policy/trust/agreement.ts";
import { locateTrust, readAgreedFile, writeAgreedFile } from "./node-agreement.ts";
import { openStateFolder } from "./private-files.ts";

const MAX_MODE_BYTES = 4096;
const FOLDERS: Readonly<Record<keyof ModeFiles, string>> = { own: ".plimsoll", legacy: ".rune" };

export function nameModeFile(file: keyof ModeFiles): string {
  return `${FOLDERS[file]}/active-context.md`;
}

export interface ModePlace {
  readonly directory: string;
  readonly dataFolder: string;
}

export function readActiveMode(place: ModePlace): ActiveMode {
  return parseActiveMode({ own: readModeFile(place, "own"), legacy: readModeFile(place, "legacy") });
}

/** An unreadable file sets nothing, and is reported as an invalid name; one that awaits agreement is listed by `plimsoll trust`. */
function readModeFile({ directory, dataFolder }: ModePlace, file: keyof ModeFiles): string | undefined {
  const found = readAgreedFile(locateTrust(directory, dataFolder), nameModeFile(file), MAX_MODE_BYTES);
  if (found?.problem === undefined) return found?.text;
  return found.problem === WAITS ? undefined : `the file ${found.problem}`;
}

/** `undefined` sets no mode: the file is removed or, if an older file would then decide, overwritten with a word of ours. */
export function writeActiveMode(place: ModePlace, mode: Mode | undefined): void {
  const { directory, dataFolder } = place;
  const own = path.join(directory, nameModeFile("own"));
  const isDecidedElsewhere = readModeFile(place, "legacy") !== undefined;
  if (mode === undefined && !isDecidedElsewhere) {
    if (existsSync(path.dirname(own)))
      rmSync(path.join(openStateFolder(directory), path.basename(own)), { force: true });
    return;
  }
  openStateFolder(directory);
  writeAgreedFile(locateTrust(directory, dataFolder), nameModeFile("own"), `${mode ?? NO_MODE}\n`);
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
