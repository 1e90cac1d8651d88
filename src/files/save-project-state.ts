import { WAITS } from "../policy/trust/agreement.ts";
import { planStateSave, type StateSave, type StateSavePlan } from "../survive/project-state/plan-state-save.ts";
import { renderStamp } from "../survive/project-state/stamp.ts";
import { STATE_FILES } from "../survive/project-state/state-files.ts";
import { describeObstacle } from "./private-files.ts";
import { type ProjectFiles, type ReadNotes, readNotes } from "./project-reader.ts";

export interface ProjectStore extends ProjectFiles {
  /** Writes the whole file, and creates missing folders. On disk when it resolves, unless the text is only saved for a process that crashes. */
  write(path: string, text: string, options?: { readonly isDurable: boolean }): Promise<void>;
  /** Appends to a file; false if the existing one cannot be appended to. */
  append(path: string, text: string): Promise<boolean>;
  /** Does nothing if there is no file. */
  remove(path: string): Promise<void>;
  /** Runs while no other process saves into this folder, which then exists and is private. */
  alone<T>(folder: string, run: () => Promise<T>): Promise<T>;
}

/** Merges a session's state into the files. Rejects if the project's folder must not be written. */
export async function saveProjectState(
  store: ProjectStore,
  project: string,
  save: StateSave,
  nowMs: number,
): Promise<void> {
  const folder = `${project}/.plimsoll`;
  const kind = await store.kindOf(folder);
  if (kind !== undefined && kind !== "folder") throw new Error(describeObstacle(folder, kind === "link"));
  const planned = planWrites(await readNotes(store, project), save, nowMs);
  // It must not be reported as saved.
  if (planned.written.length === 0 && planned.waiting.length > 0)
    throw new Error(`${planned.waiting.join(", ")} in ${folder} ${WAITS}`);
  // With nothing new, no folder is created and no lock is taken.
  if (planned.written.length === 0) return;
  await store.alone(folder, async () => {
    const { written, leaving, changed } = planWrites(await readNotes(store, project), save, nowMs);
    if (leaving.length > 0) await archive(store, folder, leaving, nowMs);
    for (const file of written) await store.write(`${folder}/${file}`, changed[file] ?? "");
  });
}

function planWrites({ texts, unreadable }: ReadNotes, save: StateSave, nowMs: number) {
  const { changed, evicted } = planStateSave(texts, save, nowMs);
  const due = STATE_FILES.filter((file) => changed[file] !== undefined);
  const written = due.filter((file) => !unreadable.has(file));
  // They wait for the person's agreement: merged with them, anyone's text would become the person's.
  const waiting = due.filter((file) => unreadable.get(file) === WAITS);
  return { written, waiting, leaving: evicted.filter(({ file }) => written.includes(file)), changed };
}

/** Archives entries before they leave their file. If the archive cannot be appended to, it stays, and a new one is written next to it. */
async function archive(store: ProjectStore, folder: string, leaving: StateSavePlan["evicted"], nowMs: number) {
  const added = leaving.map(({ file, text }) => `[${renderStamp(nowMs)}] from ${file}\n${text.trimEnd()}\n\n`).join("");
  if (!(await store.append(`${folder}/archive.md`, added))) await store.write(`${folder}/archive-${nowMs}.md`, added);
}
