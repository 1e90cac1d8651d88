import { type ActiveMode, parseActiveMode } from "../policy/mode/parse-active-mode.ts";
import type { RuleFile } from "../policy/rules/fit-rules.ts";
import type { ProjectNotes, Surroundings } from "../policy/surroundings.ts";
import { STATE_FILES, type StateFile } from "../survive/project-state/state-files.ts";

/** A project's files as a door can read them: Node in a hook, the engine in the client. All of them are a stranger's. */
export interface ProjectFiles {
  /** A regular file as text, or why it is not to be had; `undefined` where there is none. No link is followed. */
  read(path: string, maxBytes: number): Promise<{ readonly text: string } | { readonly problem: string } | undefined>;
  /** Names in a folder; none where there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  exists(path: string): Promise<boolean>;
}

/** Ours, and where the seed has them. The client loads `.claude/rules` by itself, so those are never told again. */
const RULE_FOLDERS = [".plimsoll/rules", "rules"] as const;
const MAX_FILES = 50;
/** What is larger is not what it claims to be. */
const MAX_BYTES = 1_000_000;
const MAX_IGNORE_BYTES = 100_000;
/** Both count, ours last, so that a line of ours can allow what the other one keeps out. */
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
      // A file that cannot be read sets nothing, and is reported as the bad name that it is.
      return found === undefined || "text" in found ? found?.text : `the file ${found.problem}`;
    }),
  );
  return parseActiveMode({ own, legacy });
}

/** A folder that is called `rules` is ours to read only where somebody wrote a settings file of ours into the project. */
async function readRules(files: ProjectFiles, project: string): Promise<readonly RuleFile[]> {
  const isInvited = await files.exists(`${project}/.plimsoll/settings.json`);
  const rules: RuleFile[] = [];
  for (const folder of isInvited ? RULE_FOLDERS : RULE_FOLDERS.slice(0, 1))
    for (const name of await listDocuments(files, `${project}/${folder}`)) {
      const found = await files.read(`${project}/${folder}/${name}`, MAX_BYTES);
      if (found !== undefined && "text" in found) rules.push({ name: `${folder}/${name}`, text: found.text });
    }
  return rules;
}

async function findPlan(files: ProjectFiles, project: string): Promise<string> {
  const plans = (await listDocuments(files, `${project}/.plimsoll`)).filter((name) => name.startsWith("plan-"));
  const last = plans.at(-1);
  return last === undefined ? "" : `.plimsoll/${last}`;
}

async function listDocuments(files: ProjectFiles, folder: string): Promise<readonly string[]> {
  const names = await files.list(folder);
  return names
    .filter((name) => name.endsWith(".md") && !name.startsWith("."))
    .sort()
    .slice(0, MAX_FILES);
}

/** What earlier sessions left, as far as it can be read whole; the other files are left as they are. */
export async function readNotes(
  files: ProjectFiles,
  project: string,
): Promise<ProjectNotes & { readonly unreadable: ReadonlySet<string> }> {
  const texts: Partial<Record<StateFile, string>> = {};
  const unreadable = new Set<string>();
  await Promise.all(
    STATE_FILES.map(async (file) => {
      const found = project === "" ? undefined : await files.read(`${project}/.plimsoll/${file}`, MAX_BYTES);
      if (found === undefined) return;
      if ("text" in found) texts[file] = found.text;
      else unreadable.add(file);
    }),
  );
  const index = project === "" ? undefined : await files.read(`${project}/.plimsoll/memory/MEMORY.md`, MAX_BYTES);
  const memory = index !== undefined && "text" in index ? { memory: index.text } : {};
  return { texts, unreadable, ...memory, hasGit: await hasGit(files, project) };
}

/** A repository, a worktree (where `.git` is a file), or a folder below one. */
async function hasGit(files: ProjectFiles, project: string): Promise<boolean> {
  for (let folder = project; folder !== ""; folder = folder.slice(0, folder.lastIndexOf("/")))
    if (await files.exists(`${folder}/.git`)) return true;
  return false;
}

export interface IgnoreRules {
  readonly text: string;
  /** The project has no file of its own. */
  readonly isDefault: boolean;
}

/** What a project keeps out of the window. A file that cannot be read whole counts as absent: a guard fails open. */
export async function readIgnoreRules(files: ProjectFiles, project: string): Promise<IgnoreRules> {
  const texts: string[] = [];
  for (const name of IGNORE_FILES) {
    const found = await files.read(`${project}/${name}`, MAX_IGNORE_BYTES);
    if (found !== undefined && "text" in found && found.text !== "") texts.push(found.text);
  }
  return { text: texts.join("\n"), isDefault: texts.length === 0 };
}
