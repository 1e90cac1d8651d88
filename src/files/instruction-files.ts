import { lstatSync, realpathSync } from "node:fs";
import path from "node:path";
import { errorCode } from "../core/render-failure.ts";
import type { InstructionFile, InstructionPlace, Scope } from "../library/prompt/instructions/instruction-file.ts";
import { readPlainFile } from "./private-files.ts";

interface ReadInstructions {
  /** In the order of their scopes. */
  readonly files: readonly InstructionFile[];
  /** Present but not used; to be reported, because someone wrote them to be read. */
  readonly skipped: readonly SkippedInstruction[];
}

export interface SkippedInstruction {
  readonly path: string;
  readonly why: string;
}

/** Instructions are prose: a larger file is something else by that name. */
const MAX_FILE_BYTES = 1_000_000;

/** Links are followed within the project, or within a file's own folder: a cloned repository must not bring a private file into the prompt as instructions. */
export function readInstructionFiles(options: PlacesOptions): ReadInstructions {
  const files: InstructionFile[] = [];
  const skipped: SkippedInstruction[] = [];
  for (const place of listPlaces(options)) {
    const found = readPlace(place, options.root);
    if (found?.problem !== undefined) skipped.push({ path: place.path, why: found.problem });
    else if (found) files.push({ ...place, text: found.text });
  }
  return { files, skipped };
}

function readPlace(place: InstructionPlace, root: string): ReturnType<typeof readPlainFile> {
  try {
    const real = realpathSync.native(place.path);
    const isOfProject = place.scope === "project" || place.scope === "child";
    const fence = realpathSync.native(isOfProject ? root : path.dirname(place.path));
    if (!real.startsWith(fence.endsWith(path.sep) ? fence : fence + path.sep))
      return { text: "", problem: `is a link that leads out of ${fence}` };
    if (place.scope === "parent" && isForeign(real)) return { text: "", problem: "belongs to another user" };
    return readPlainFile(real, MAX_FILE_BYTES);
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    const code = errorCode(error) || "unknown";
    return { text: "", problem: `cannot be read (${code})` };
  }
}

/** Above a project there are folders that others may write to, such as `/tmp`. */
function isForeign(file: string): boolean {
  const { uid } = lstatSync(file);
  return process.getuid !== undefined && uid !== process.getuid() && uid !== 0;
}

interface PlacesOptions {
  readonly organisation?: string;
  readonly user?: string;
  /** The project's folder, as an absolute path. */
  readonly root: string;
  /** Relative to the root, or absolute. Without one there are no children, because it is unknown which are meant. */
  readonly activeFile?: string;
  /** The highest folder whose file still counts as a parent's; without it the walk ends below the file system's root. */
  readonly top?: string;
  /** Names of instruction files, in order of preference. */
  readonly names?: readonly string[];
}

const INSTRUCTION_NAMES: readonly string[] = ["CLAUDE.md", "AGENTS.md"];

/**
 * Every path where instructions for the active file may be, in the order in which they are given: organisation, user, project root,
 * its parents upward, then the folders down to the active file. No other folder, so that a monorepo's forty files are not all loaded.
 */
export function listPlaces(options: PlacesOptions): readonly InstructionPlace[] {
  const { organisation, user, activeFile = "", top, names = INSTRUCTION_NAMES } = options;
  const system = /^(?:[a-z]:[\\/]|\\\\)/i.test(options.root) ? path.win32 : path.posix;
  for (const name of names)
    if (name === "" || system.isAbsolute(name) || /^\.\.(?:[\\/]|$)/.test(system.normalize(name)))
      throw new TypeError(`names has "${name}": use file names below a folder, such as "CLAUDE.md"`);
  if (!system.isAbsolute(options.root)) throw new TypeError(`root is "${options.root}": use an absolute path`);
  const root = system.resolve(options.root);
  const at = (scope: Scope, folder: string): readonly InstructionPlace[] =>
    names.map((name) => ({ scope, path: system.join(folder, name).replaceAll(system.sep, "/") }));
  const single = (scope: Scope, file: string | undefined): readonly InstructionPlace[] =>
    file === undefined || file === "" ? [] : [{ scope, path: file }];
  return [
    ...single("organisation", organisation),
    ...single("user", user),
    ...at("project", root),
    ...listParents(system, root, top).flatMap((folder) => at("parent", folder)),
    ...listChildren(system, root, activeFile).flatMap((folder) => at("child", folder)),
  ];
}

/** Nearest first. Empty if `top` is not above the root: it is then unknown how far up to go. */
function listParents(system: path.PlatformPath, root: string, top: string | undefined): readonly string[] {
  const above: string[] = [];
  for (let folder = root; folder !== system.dirname(folder); folder = system.dirname(folder))
    above.push(system.dirname(folder));
  if (top === undefined) return above.slice(0, -1);
  if (!system.isAbsolute(top)) return [];
  return above.slice(0, above.findIndex((folder) => system.relative(folder, top) === "") + 1);
}

/** From the root down to the folder of the active file; empty for a file outside. */
function listChildren(system: path.PlatformPath, root: string, activeFile: string): readonly string[] {
  const below = system.relative(root, system.resolve(root, activeFile));
  const [first = "", ...others] = below.split(system.sep);
  // On another drive or share the path stays absolute.
  if (first === ".." || system.isAbsolute(below)) return [];
  return others.map((_, index) => system.join(root, first, ...others.slice(0, index)));
}
