import { lstatSync, realpathSync } from "node:fs";
import path from "node:path";
import { errorCode } from "../core/render-failure.ts";
import type { InstructionFile, InstructionPlace } from "../library/prompt/instructions/instruction-file.ts";
import { listPlaces, type PlacesOptions } from "../library/prompt/instructions/list-places.ts";
import { readPlainFile } from "./private-files.ts";

export interface ReadInstructions {
  /** In the order of their scopes. */
  readonly files: readonly InstructionFile[];
  /** There, but not to be told: to be reported, because somebody wrote them to be read. */
  readonly skipped: readonly SkippedInstruction[];
}

export interface SkippedInstruction {
  readonly path: string;
  readonly why: string;
}

/** Instructions are prose: a larger file is something else by that name. */
const MAX_FILE_BYTES = 1_000_000;

/**
 * The instruction files in the scope of the active file. A link is followed within its own project or folder only: a repository
 * that somebody cloned must not bring a private file into the prompt under the name of instructions.
 */
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

/** Above a project lie folders that others may write to, such as `/tmp`. */
function isForeign(file: string): boolean {
  const { uid } = lstatSync(file);
  return process.getuid !== undefined && uid !== process.getuid() && uid !== 0;
}
