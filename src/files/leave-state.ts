import { redactSecrets } from "../fold/redact-secrets.ts";
import { MEMORY_INDEX_FILE, nameTopicFile } from "../library/prompt/memory/memory-index.ts";
import { mergeMemories } from "../library/prompt/memory/merge-memories.ts";
import { CONTINUE_HERE_PATH, parseContinueHere, renderContinueHere } from "../policy/advice/continue-here.ts";
import type { Settings } from "../policy/settings/settings.ts";
import { limitSave } from "../survive/project-state/plan-state-save.ts";
import { renderStamp } from "../survive/project-state/stamp.ts";
import { toStateSave } from "../survive/project-state/to-state-save.ts";
import type { Happened } from "../survive/record/continuation.ts";
import { describeObstacle } from "./private-files.ts";
import { type ProjectFiles, readPause, readText } from "./project-reader.ts";
import { type ProjectStore, saveProjectState } from "./save-project-state.ts";

interface LeavingSession {
  readonly project: string;
  readonly happened: Happened;
  readonly settings: Settings;
  readonly isEnd: boolean;
  readonly nowMs: number;
}

/** Writes what the project's next session must know into `.plimsoll/`, as the person has set it. */
export async function leaveState(store: ProjectStore, session: LeavingSession): Promise<void> {
  const { project, happened, settings, isEnd, nowMs } = session;
  const git = await readGitHead(store, project);
  await saveProjectState(store, project, limitSave(toStateSave(happened, { git, isEnd }), settings.stateFiles), nowMs);
}

/** Writes the state of the work into the project for its next session; an empty text removes the file. */
export async function putPause(store: ProjectStore, project: string, text: string): Promise<void> {
  const folder = `${project}/.plimsoll`;
  const file = `${project}/${CONTINUE_HERE_PATH}`;
  const kind = await store.kindOf(folder);
  if (kind !== undefined && kind !== "folder") throw new Error(describeObstacle(folder, kind === "link"));
  const found = await store.kindOf(file);
  // A link, or a file that someone else wrote here, is theirs.
  const isFree = found === undefined || isOurs(await readPause(store, project));
  if (text === "" && (found === undefined || !isFree)) return;
  if (!isFree) throw new Error(`${file} was not written by Plimsoll and is not replaced`);
  await store.alone(folder, () => (text === "" ? store.remove(file) : store.write(file, redactSecrets(text))));
}

function isOurs(text: string): boolean {
  const pause = parseContinueHere(text);
  return pause !== undefined && renderContinueHere(pause) === text;
}

const MAX_POINTER_BYTES = 4096;
const MAX_PACKED_BYTES = 4_000_000;
const COMMIT_CHARACTERS = 7;
/** What git accepts as a name, without characters that have a meaning in a terminal or a path. */
const BRANCH = /^ref: refs\/heads\/((?!\.)(?!.*(?:\.\.|\/\.|\/\/|@\{))[\w./@+#-]{1,200})$/;
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** `main at 1a2b3c4`, as far as it is known; read from the files of `.git`, because a module cannot start programs. Nothing is guessed. */
export async function readGitHead(files: ProjectFiles, project: string): Promise<string> {
  const folder = await findGitFolder(files, project);
  const head = folder && (await readLine(files, `${folder}/HEAD`));
  if (!folder || head === undefined) return "";
  if (COMMIT.test(head)) return `no branch, at ${head.slice(0, COMMIT_CHARACTERS)}`;
  const branch = BRANCH.exec(head)?.[1];
  if (branch === undefined) return "";
  const common = await readLine(files, `${folder}/commondir`);
  const commit = await findCommit(files, common === undefined ? folder : joinPath(folder, common), branch);
  return commit === "" ? branch : `${branch} at ${commit.slice(0, COMMIT_CHARACTERS)}`;
}

/** The repository folder of a project, also if `.git` is a worktree's file that names it. */
async function findGitFolder(files: ProjectFiles, project: string): Promise<string | undefined> {
  for (let folder = project; folder !== ""; folder = folder.slice(0, folder.lastIndexOf("/"))) {
    const kind = await files.kindOf(`${folder}/.git`);
    if (kind === undefined) continue;
    if (kind === "folder") return `${folder}/.git`;
    const [, named] = /^gitdir: (.+)$/.exec((await readLine(files, `${folder}/.git`)) ?? "") ?? [];
    return named === undefined ? undefined : joinPath(folder, named);
  }
  return undefined;
}

async function findCommit(files: ProjectFiles, folder: string, branch: string): Promise<string> {
  const loose = await readLine(files, `${folder}/refs/heads/${branch}`);
  if (loose !== undefined) return COMMIT.test(loose) ? loose : "";
  const packed = (await readText(files, `${folder}/packed-refs`, MAX_PACKED_BYTES)) ?? "";
  const line = packed.split("\n").find((entry) => entry.endsWith(` refs/heads/${branch}`)) ?? "";
  const [commit = ""] = line.split(" ", 1);
  return COMMIT.test(commit) ? commit : "";
}

async function readLine(files: ProjectFiles, path: string): Promise<string | undefined> {
  const text = await readText(files, path, MAX_POINTER_BYTES);
  return text?.split("\n", 1)[0]?.trim() || undefined;
}

function joinPath(folder: string, named: string): string {
  return /^(?:\/|[a-z]:[\\/])/i.test(named) ? named : `${folder}/${named}`;
}

export async function failure(run: () => Promise<void>): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const TOPIC = "decisions";
const MAX_BYTES = 1_000_000;

/** Adds decisions to the project's long-term memory, secrets masked, and creates it with the first one. */
export async function rememberDecisions(
  store: ProjectStore,
  project: string,
  lessons: readonly string[],
  nowMs: number,
): Promise<void> {
  const state = `${project}/.plimsoll`;
  const folder = `${state}/memory`;
  if (lessons.length === 0 || (await store.kindOf(state)) !== "folder") return;
  // Anything else in this place belongs to someone else.
  if (((await store.kindOf(folder)) ?? "folder") !== "folder") return;
  if (((await store.kindOf(`${folder}/${MEMORY_INDEX_FILE}`)) ?? "file") !== "file") return;
  await store.alone(state, async () => {
    const file = nameTopicFile(TOPIC);
    const index = await readWhole(store, `${folder}/${MEMORY_INDEX_FILE}`);
    const topic = await readWhole(store, `${folder}/${file}`);
    const merged = mergeMemories(
      { index, topics: { [file]: topic } },
      lessons.map((text) => ({ topic: TOPIC, text: redactSecrets(text) })),
      { date: renderStamp(nowMs).slice(0, 10) },
    );
    // The topic first, so that every line of the index leads somewhere.
    for (const [name, text] of Object.entries(merged.changed)) await store.write(`${folder}/${name}`, text);
    if (merged.index !== index) await store.write(`${folder}/${MEMORY_INDEX_FILE}`, merged.index);
  });
}

/** Rejects if there is a file that cannot be read whole: it must not be overwritten. */
async function readWhole(store: ProjectStore, file: string): Promise<string> {
  const found = await store.read(file, MAX_BYTES);
  if (found !== undefined && "problem" in found) throw new Error(`${file} ${found.problem}`);
  return found?.text ?? "";
}
