import { WAITS } from "../policy/trust/agreement.ts";
import { planStateSave, type StateSave, type StateSavePlan } from "../survive/project-state/plan-state-save.ts";
import { renderStamp } from "../survive/project-state/stamp.ts";
import { STATE_FILES, type StateFile } from "../survive/project-state/state-files.ts";
import { type ProjectFiles, type ReadNotes, readNotes } from "./project-reader.ts";

/** A project's files as a door can write them, too. */
export interface ProjectStore extends ProjectFiles {
  /** Whole; folders on the way are made. */
  write(path: string, text: string): Promise<void>;
  /** At the end of a file; false where something lies there that cannot be added to. */
  append(path: string, text: string): Promise<boolean>;
  /** Nothing happens where there is nothing. */
  remove(path: string): Promise<void>;
  /** While nobody else saves into this folder, which is there and private then. */
  alone<T>(folder: string, run: () => Promise<T>): Promise<T>;
}

export interface SaveReport {
  readonly folder: string;
  readonly written: readonly StateFile[];
  /** Left as they are: what we cannot read whole we do not write. */
  readonly skipped: readonly { readonly file: StateFile; readonly why: string }[];
  /** Pushed out by a limit, and kept in the archive. */
  readonly archived: number;
  readonly notes: readonly string[];
}

/** Merges what a session leaves into the files. Rejects where the project's folder is not ours to write into. */
export async function saveProjectState(
  store: ProjectStore,
  project: string,
  save: StateSave,
  nowMs: number,
): Promise<SaveReport> {
  const folder = `${project}/.plimsoll`;
  const kind = await store.kindOf(folder);
  if (kind !== undefined && kind !== "folder")
    throw new Error(`${folder} is not a folder: move it away, then try again`);
  const known = await readNotes(store, project);
  const planned = planWrites(known, save, nowMs);
  // Nobody may be told that this was saved.
  if (planned.written.length === 0 && planned.waiting.length > 0)
    throw new Error(`${planned.waiting.join(", ")} in ${folder} ${WAITS}`);
  // Nothing new makes no folder, and waits for nobody.
  if (planned.written.length === 0) return describe(folder, known, [], 0);
  return store.alone(folder, async () => {
    const found = await readNotes(store, project);
    const { written, leaving, changed } = planWrites(found, save, nowMs);
    if (leaving.length > 0) await archive(store, folder, leaving, nowMs);
    for (const file of written) await store.write(`${folder}/${file}`, changed[file] ?? "");
    return describe(folder, found, written, leaving.length);
  });
}

interface Writes {
  readonly written: readonly StateFile[];
  /** Would be written if the person had agreed to what they hold: merged with it, anybody's text would become theirs. */
  readonly waiting: readonly StateFile[];
  readonly leaving: StateSavePlan["evicted"];
  readonly changed: StateSavePlan["changed"];
}

function planWrites({ texts, unreadable }: ReadNotes, save: StateSave, nowMs: number): Writes {
  const { changed, evicted } = planStateSave(texts, save, nowMs);
  const due = STATE_FILES.filter((file) => changed[file] !== undefined);
  const written = due.filter((file) => !unreadable.has(file));
  const waiting = due.filter((file) => unreadable.get(file) === WAITS);
  return { written, waiting, leaving: evicted.filter(({ file }) => written.includes(file)), changed };
}

/** Before it leaves its file. An archive that cannot be added to stays as it is: what leaves goes beside it. */
async function archive(
  store: ProjectStore,
  folder: string,
  leaving: StateSavePlan["evicted"],
  nowMs: number,
): Promise<void> {
  const added = leaving.map(({ file, text }) => `[${renderStamp(nowMs)}] from ${file}\n${text.trimEnd()}\n\n`).join("");
  if (!(await store.append(`${folder}/archive.md`, added))) await store.write(`${folder}/archive-${nowMs}.md`, added);
}

function describe(
  folder: string,
  { unreadable, hasGit }: ReadNotes,
  written: readonly StateFile[],
  archived: number,
): SaveReport {
  return {
    folder,
    written,
    skipped: STATE_FILES.flatMap((file) => {
      const why = unreadable.get(file);
      return why === undefined ? [] : [{ file, why }];
    }),
    archived,
    notes: hasGit ? [] : ["no git available, so the state is saved without its commit"],
  };
}
