import { existsSync } from "node:fs";
import path from "node:path";
import { planStateSave, type StateSave } from "../survive/project-state/plan-state-save.ts";
import { type LoadedState, renderState } from "../survive/project-state/render-state.ts";
import { renderStamp } from "../survive/project-state/stamp.ts";
import { STATE_FILES, type StateFile, type StateTexts } from "../survive/project-state/state-files.ts";
import { appendPrivateFile, openStateFolder, readPlainFile, writePrivateFile } from "./private-files.ts";
import { withLock } from "./with-lock.ts";

/** A state file is read by a model: one larger than this is not what it claims to be. */
const MAX_FILE_BYTES = 1_000_000;
const ARCHIVE = "archive.md";

export interface ProjectState {
  readonly texts: StateTexts;
  readonly skipped: readonly SkippedFile[];
  readonly hasGit: boolean;
}

export interface SkippedFile {
  readonly file: StateFile;
  readonly why: string;
}

export interface SaveReport {
  readonly folder: string;
  readonly written: readonly StateFile[];
  /** Left as they are: what we cannot read whole we do not write. */
  readonly skipped: readonly SkippedFile[];
  /** Pushed out by a limit, and kept in the archive. */
  readonly archived: number;
  readonly notes: readonly string[];
}

export function readProjectState(directory: string): ProjectState {
  const texts: Partial<Record<StateFile, string>> = {};
  const skipped: SkippedFile[] = [];
  for (const file of STATE_FILES) {
    const found = readPlainFile(path.join(directory, ".plimsoll", file), MAX_FILE_BYTES);
    if (found?.problem !== undefined) skipped.push({ file, why: found.problem });
    else if (found) texts[file] = found.text;
  }
  return { texts, skipped, hasGit: hasGit(directory) };
}

/** For injection: checked, dated, within its budget. */
export function loadProjectState(directory: string, nowMs: number): LoadedState & Pick<ProjectState, "skipped"> {
  const { texts, skipped, hasGit: isRepository } = readProjectState(directory);
  return { ...renderState(texts, { nowMs, hasGit: isRepository }), skipped };
}

/** Merges what a session leaves into the files. What a limit pushes out is in the archive before it leaves its file. */
export function saveProjectState(directory: string, save: StateSave, nowMs: number): SaveReport {
  const folder = openStateFolder(directory);
  return withLock(path.join(folder, ".lock"), () => {
    const { texts, skipped, hasGit: isRepository } = readProjectState(directory);
    const { changed, evicted } = planStateSave(texts, save, nowMs);
    const unreadable = new Set(skipped.map(({ file }) => file));
    const written = STATE_FILES.filter((file) => changed[file] !== undefined && !unreadable.has(file));
    const leaving = evicted.filter(({ file }) => written.includes(file));
    const archive = leaving
      .map(({ file, text }) => `[${renderStamp(nowMs)}] from ${file}\n${text.trimEnd()}\n\n`)
      .join("");
    if (archive !== "") appendPrivateFile(path.join(folder, ARCHIVE), archive);
    for (const file of written) writePrivateFile(path.join(folder, file), changed[file] ?? "");
    const notes = isRepository ? [] : ["no git available: the state is saved, but belongs to no commit"];
    return { folder, written, skipped, archived: leaving.length, notes };
  });
}

/** A repository, a worktree (where `.git` is a file), or a folder below one. */
function hasGit(directory: string): boolean {
  for (let folder = path.resolve(directory); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, ".git"))) return true;
    if (path.dirname(folder) === folder) return false;
  }
}
