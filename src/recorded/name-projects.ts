import { lstatSync } from "node:fs";
import path from "node:path";
import { groupBy } from "../core/group-by.ts";
import { readPlainText } from "../files/private-files.ts";

export interface ProjectFile {
  readonly file: { readonly path: string; readonly project: string; readonly client?: string };
  /** Where the client was started; empty if it is not recorded. */
  readonly folder: string;
}

/** Names that the person gave to folders; what is below a folder has its name, too. */
export type Aliases = Readonly<Record<string, string>>;

/** A project: its folder, and the shortest name that no other project here has. */
export type NamedProject = Readonly<Record<"folder" | "project", string>>;

/** The home folder is the same in every name, so it is left out. */
const HOME = /^(?:[A-Za-z]:)?\/(?:home|Users)\/[^/]+(?=\/)|^\/root(?=\/)/;
const SHOWN_SEGMENTS = 2;

/**
 * Names projects by their real folder, such as `shop/checkout`. Files that the client keeps under one name belong to one project; its
 * folder is the one in which most of them began. Worktrees and clones of a repository are one project, under the folder with the most
 * files. Two projects with the same ending get as many parent folders as tell them apart.
 */
export function nameProjects(files: readonly ProjectFile[], aliases: Aliases = {}): ReadonlyMap<string, NamedProject> {
  const groups = groupBy(files, ({ file }) => `${file.client ?? ""}\n${file.project}`);
  const folders = new Map([...groups].map(([key, group]) => [key, findFolder(group)]));
  const shared = joinCheckouts([...groups].map(([key, group]) => [folders.get(key) ?? "", group.length]));
  const names = nameFolders([...new Set(shared.values())]);
  const named = new Map<string, NamedProject>();
  for (const [key, group] of groups) {
    const folder = folders.get(key) ?? "";
    const project = findAlias(folder, aliases) ?? names.get(shared.get(folder) ?? folder) ?? folder;
    for (const { file } of group) named.set(file.path, { folder, project });
  }
  return named;
}

/** Each folder with the one that stands for its repository: its own checkout if there was work in it, else the busiest. */
function joinCheckouts(counted: readonly (readonly [folder: string, files: number])[]): ReadonlyMap<string, string> {
  const busiest = [...counted].sort(([, left], [, right]) => right - left).map(([folder]) => folder);
  const places = new Map(busiest.map((folder) => [folder, findRepository(folder)]));
  const groups = groupBy(busiest, (folder) => places.get(folder)?.key ?? folder);
  return new Map(
    [...groups.values()].flatMap((alike) => {
      const shown = alike.find((folder) => places.get(folder)?.folder === folder) ?? alike[0] ?? "";
      return alike.map((folder) => [folder, shown] as const);
    }),
  );
}

function findAlias(folder: string, aliases: Aliases): string | undefined {
  const [nearest] = Object.keys(aliases)
    .filter((known) => folder === known || folder.startsWith(`${known}/`))
    .sort((left, right) => right.length - left.length);
  return nearest === undefined ? undefined : aliases[nearest];
}

function findFolder(group: readonly ProjectFile[]): string {
  const begun = group.filter(({ folder }) => folder !== "");
  const [most] = [...groupBy(begun, ({ folder }) => folder)].sort(([, left], [, right]) => right.length - left.length);
  return most?.[0] ?? group[0]?.file.project ?? "";
}

function nameFolders(folders: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (let segments = SHOWN_SEGMENTS, open = folders; open.length > 0; segments++) {
    const byName = groupBy(open, (folder) => shortenFolder(folder, segments));
    for (const [name, alike] of byName) {
      const [only = "", ...others] = alike;
      if (others.length === 0) names.set(only, name);
      // A folder without further parents keeps its whole path.
      else for (const folder of alike) if (shortenFolder(folder, segments + 1) === name) names.set(folder, folder);
    }
    open = open.filter((folder) => !names.has(folder));
  }
  return names;
}

/** The last segments of a folder, without the user's home. */
function shortenFolder(folder: string, segments: number): string {
  const plain = folder.replaceAll("\\", "/").replace(/\/+$/, "");
  return plain.replace(HOME, "").split("/").filter(Boolean).slice(-segments).join("/") || folder;
}

/** Where a folder belongs: the same place in every worktree and clone of a repository has the same key. */
interface RepositoryPlace {
  readonly key: string;
  /** The folder in the repository's own checkout. */
  readonly folder: string;
}

/** Git's own small files; anything longer is none. */
const MAX_BYTES = 1 << 16;
/** A deleted worktree of an agent leaves no file behind, but its name says where it was. */
const WORKTREES_INSIDE = /^\.[^/]+\/worktrees\/[^/]+(?:\/|$)/;

/** From what git's files say; no git process is started (docs/decisions/0049). `undefined` outside a repository. */
function findRepository(folder: string): RepositoryPlace | undefined {
  if (!path.isAbsolute(folder)) return undefined;
  for (let root = path.resolve(folder); ; root = path.dirname(root)) {
    const common = findCommonFolder(root);
    if (common !== undefined) return describePlace(common, path.relative(root, folder).replaceAll("\\", "/"));
    if (root === path.dirname(root)) return undefined;
  }
}

function describePlace(common: string, inside: string): RepositoryPlace {
  const rest = inside.replace(WORKTREES_INSIDE, "");
  const checkout = path.basename(common) === ".git" ? path.dirname(common) : common;
  const origin = readOrigin(common);
  return { key: `${origin ?? checkout}\n${rest}`, folder: rest === "" ? checkout : `${checkout}/${rest}` };
}

/** The folder with the repository's objects, which all its worktrees share; `undefined` if no checkout begins here. */
function findCommonFolder(root: string): string | undefined {
  const entry = path.join(root, ".git");
  const status = lstatSync(entry, { throwIfNoEntry: false });
  if (status?.isDirectory()) return entry;
  const [, target] =
    /^gitdir:\s*(.+?)\s*$/m.exec(status?.isFile() ? (readPlainText(entry, MAX_BYTES) ?? "") : "") ?? [];
  if (target === undefined) return undefined;
  const own = path.resolve(root, target);
  // A submodule has no such file: its folder is a repository of its own.
  const common = readPlainText(path.join(own, "commondir"), MAX_BYTES)?.trim();
  return common === undefined ? own : path.resolve(own, common);
}

/** Where the repository was cloned from, however the address is written; `undefined` if it says nothing of that. */
function readOrigin(common: string): string | undefined {
  const config = readPlainText(path.join(common, "config"), MAX_BYTES) ?? "";
  const [, section = ""] = /^\s*\[remote "origin"\]([^[]*)/m.exec(config) ?? [];
  const [, url] = /^\s*url\s*=\s*(\S+)/m.exec(section) ?? [];
  return url
    ?.replace(/^[a-z+]+:\/\/(?:[^@/]*@)?/i, "")
    .replace(/^[^@/]*@([^:/]+):/, "$1/")
    .replace(/(?:\.git)?\/*$/, "")
    .toLowerCase();
}
