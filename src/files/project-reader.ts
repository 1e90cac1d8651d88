import type { IgnoreRulesText } from "../guard/decide-ignored.ts";
import { CONTINUE_HERE_PATH } from "../policy/advice/continue-here.ts";
import { type ActiveMode, parseActiveMode } from "../policy/mode/parse-active-mode.ts";
import type { RuleFile } from "../policy/rules/fit-rules.ts";
import type { ProjectNotes, Surroundings } from "../policy/surroundings.ts";
import { STATE_FILES, type StateFile } from "../survive/project-state/state-files.ts";

/** The client loads `.claude/rules` by itself, so those are never repeated. */
const OWN_RULES = ".plimsoll/rules";
/** The seed's folder. */
const GUEST_RULES = "rules";
const MAX_FILES = 50;
/** A larger file is not what it claims to be. */
const MAX_BYTES = 1_000_000;
const MAX_IGNORE_BYTES = 100_000;
/** Both count, ours last, so that a line of ours can allow what the other excludes. */
const IGNORE_FILES = [".ckignore", ".plimsollignore"] as const;

export async function readSurroundings(
  files: ProjectFiles,
  project: string,
  readModeText: (mode: string) => Promise<string | undefined>,
): Promise<Surroundings> {
  if (project === "") return { mode: { kind: "none" }, modeText: undefined, rules: [], plan: "" };
  const mode = await readMode(files, project);
  return {
    mode,
    modeText: mode.kind === "set" ? await readModeText(mode.mode) : undefined,
    rules: await readRules(files, project),
    plan: await findPlan(files, project),
  };
}

async function readMode(files: ProjectFiles, project: string): Promise<ActiveMode> {
  const [own, legacy] = await Promise.all(
    [".plimsoll", ".rune"].map(async (folder) => {
      const found = await files.read(`${project}/${folder}/active-context.md`, MAX_BYTES);
      if (found === undefined || "text" in found) return found?.text;
      // An unreadable file sets nothing, and is reported as an invalid name.
      return `the file ${found.problem}`;
    }),
  );
  return parseActiveMode({ own, legacy });
}

/** A folder called `rules` is read only if the project has a settings file of ours. */
export async function readRules(files: ProjectFiles, project: string): Promise<readonly RuleFile[]> {
  const rules: RuleFile[] = [];
  for (const folder of (await isInvitedTo(files, project)) ? [OWN_RULES, GUEST_RULES] : [OWN_RULES]) {
    if (await leadsAway(files, project, folder)) continue;
    for (const name of await listDocuments(files, `${project}/${folder}`)) {
      const text = await readText(files, `${project}/${folder}/${name}`, MAX_BYTES);
      if (text !== undefined) rules.push({ name: `${folder}/${name}`, text });
    }
  }
  return rules;
}

async function isInvitedTo(files: ProjectFiles, project: string): Promise<boolean> {
  return (await files.kindOf(`${project}/.plimsoll/settings.json`)) !== undefined;
}

/** Files that look like rules, but are skipped because the project has no settings file of ours. */
export async function listPassedRules(files: ProjectFiles, project: string): Promise<readonly string[]> {
  if (await isInvitedTo(files, project)) return [];
  return (await listDocuments(files, `${project}/${GUEST_RULES}`)).map((name) => `${GUEST_RULES}/${name}`);
}

/** A repository can contain a folder as a link: what is behind it is not the project's. */
async function leadsAway(files: ProjectFiles, project: string, folder: string): Promise<boolean> {
  const parts = folder.split("/");
  for (let count = 1; count <= parts.length; count++)
    if ((await files.kindOf(`${project}/${parts.slice(0, count).join("/")}`)) === "link") return true;
  return false;
}

export async function findPlan(files: ProjectFiles, project: string): Promise<string> {
  // The model sees the name itself, and anyone may have chosen it.
  const last = (await listDocuments(files, `${project}/.plimsoll`)).findLast((name) =>
    /^plan-[\w.-]{1,80}$/.test(name),
  );
  return last === undefined ? "" : `.plimsoll/${last}`;
}

async function listDocuments(files: ProjectFiles, folder: string): Promise<readonly string[]> {
  const names = await files.list(folder);
  return names
    .filter((name) => name.endsWith(".md") && !name.startsWith("."))
    .sort()
    .slice(0, MAX_FILES);
}

export interface ReadNotes extends ProjectNotes {
  /** Files that cannot be read whole, with the reason: they are left unchanged. */
  readonly unreadable: ReadonlyMap<StateFile, string>;
}

export async function readNotes(files: ProjectFiles, project: string): Promise<ReadNotes> {
  const texts: Partial<Record<StateFile, string>> = {};
  const unreadable = new Map<StateFile, string>();
  const folder = `${project}/.plimsoll`;
  const kind = project === "" ? undefined : await files.kindOf(folder);
  if (kind !== undefined)
    for (const file of STATE_FILES) {
      const found =
        kind === "link"
          ? { problem: "is in a folder that is a link" }
          : await files.read(`${folder}/${file}`, MAX_BYTES);
      if (found === undefined) continue;
      if ("text" in found) texts[file] = found.text;
      else unreadable.set(file, found.problem);
    }
  const paused = kind === "folder" ? await readPause(files, project) : "";
  return {
    texts,
    unreadable,
    memory: await readMemoryIndex(files, project),
    ...(paused === "" ? {} : { paused }),
    hasGit: await hasGit(files, project),
  };
}

async function readMemoryIndex(files: ProjectFiles, project: string): Promise<string> {
  if (project === "" || (await leadsAway(files, project, ".plimsoll/memory"))) return "";
  return (await readText(files, `${project}/.plimsoll/memory/MEMORY.md`, MAX_BYTES)) ?? "";
}

const MAX_PAUSE_BYTES = 50_000;

/** Where a session paused in this project; empty if none did, or if the file is not what it claims to be. */
export async function readPause(files: ProjectFiles, project: string): Promise<string> {
  return (await readText(files, `${project}/${CONTINUE_HERE_PATH}`, MAX_PAUSE_BYTES)) ?? "";
}

/** A repository, a worktree (in which `.git` is a file), or a folder below one. */
async function hasGit(files: ProjectFiles, project: string): Promise<boolean> {
  for (let folder = project; folder !== ""; folder = folder.slice(0, folder.lastIndexOf("/")))
    if ((await files.kindOf(`${folder}/.git`)) !== undefined) return true;
  return false;
}

/** What a project keeps out of the window. A file that cannot be read whole counts as absent: a guard fails open. */
export async function readIgnoreRules(files: ProjectFiles, project: string): Promise<IgnoreRulesText> {
  const found = await Promise.all(IGNORE_FILES.map((name) => readText(files, `${project}/${name}`, MAX_IGNORE_BYTES)));
  const texts = found.filter((text) => text !== undefined && text !== "");
  return { text: texts.join("\n"), isDefault: texts.length === 0 };
}

/** A project's files as an entry point reads them: through Node in a hook, through the engine in the client. None of them is trusted. */
export interface ProjectFiles {
  /** A regular file as text, or why it cannot be read; `undefined` if there is none. No link is followed. */
  read(path: string, maxBytes: number): Promise<{ readonly text: string } | { readonly problem: string } | undefined>;
  /** Names in a folder; empty if there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  kindOf(path: string): Promise<"file" | "folder" | "link" | "other" | undefined>;
}

/** `undefined` for a file that is missing or cannot be read. */
export async function readText(
  files: Pick<ProjectFiles, "read">,
  path: string,
  maxBytes: number,
): Promise<string | undefined> {
  const found = await files.read(path, maxBytes);
  return found !== undefined && "text" in found ? found.text : undefined;
}
