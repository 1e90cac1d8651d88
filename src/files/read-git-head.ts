import type { ProjectFiles } from "./project-files.ts";

/** Where a repository stands. Both may be empty: nothing is guessed. */
export interface GitHead {
  /** Empty where no branch is checked out. */
  readonly branch: string;
  /** Its beginning; empty before the first commit, and where it cannot be told. */
  readonly commit: string;
}

const MAX_POINTER_BYTES = 4096;
const MAX_PACKED_BYTES = 4_000_000;
const COMMIT_CHARACTERS = 7;
/** What git itself takes for a name, but for letters that a terminal or a path would take for something else. */
const BRANCH = /^ref: refs\/heads\/((?!\.)(?!.*(?:\.\.|\/\.|\/\/|@\{))[\w./@+#-]{1,200})$/;
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Read from the files of `.git`, because a module can start no program; `undefined` where there is none to read. */
export async function readGitHead(files: ProjectFiles, project: string): Promise<GitHead | undefined> {
  const folder = await findGitFolder(files, project);
  const head = folder && (await readLine(files, `${folder}/HEAD`));
  if (!folder || head === undefined) return undefined;
  if (COMMIT.test(head)) return { branch: "", commit: head.slice(0, COMMIT_CHARACTERS) };
  const branch = BRANCH.exec(head)?.[1];
  if (branch === undefined) return undefined;
  const common = await readLine(files, `${folder}/commondir`);
  const shared = common === undefined ? folder : joinPath(folder, common);
  return { branch, commit: (await findCommit(files, shared, branch)).slice(0, COMMIT_CHARACTERS) };
}

/** `main at 1a2b3c4`, as much of it as is known. */
export function renderGitHead(head: GitHead | undefined): string {
  if (head === undefined) return "";
  const { branch, commit } = head;
  if (branch === "") return `no branch, at ${commit}`;
  return commit === "" ? branch : `${branch} at ${commit}`;
}

/** The folder of the repository around a project, also where `.git` is a worktree's file that names it. */
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
  const packed = await files.read(`${folder}/packed-refs`, MAX_PACKED_BYTES);
  if (packed === undefined || !("text" in packed)) return "";
  const line = packed.text.split("\n").find((entry) => entry.endsWith(` refs/heads/${branch}`)) ?? "";
  const [commit = ""] = line.split(" ", 1);
  return COMMIT.test(commit) ? commit : "";
}

/** The first line of a small file; `undefined` where it is none. */
async function readLine(files: ProjectFiles, path: string): Promise<string | undefined> {
  const found = await files.read(path, MAX_POINTER_BYTES);
  if (found === undefined || !("text" in found)) return undefined;
  return found.text.split("\n", 1)[0]?.trim() || undefined;
}

function joinPath(folder: string, named: string): string {
  return /^(?:\/|[a-z]:[\\/])/i.test(named) ? named : `${folder}/${named}`;
}
