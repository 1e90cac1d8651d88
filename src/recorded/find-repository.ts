import { lstatSync } from "node:fs";
import path from "node:path";
import { readPlainText } from "../files/private-files.ts";

/** Where a folder belongs: the same place in every worktree and clone of a repository has the same key. */
export interface RepositoryPlace {
  readonly key: string;
  /** The folder in the repository's own checkout. */
  readonly folder: string;
}

/** Git's own small files; anything longer is none. */
const MAX_BYTES = 1 << 16;
/** A deleted worktree of an agent leaves no file behind, but its name says where it was. */
const WORKTREES_INSIDE = /^\.[^/]+\/worktrees\/[^/]+(?:\/|$)/;

/** From what git's files say; no git process is started (docs/decisions/0049). `undefined` outside a repository. */
export function findRepository(folder: string): RepositoryPlace | undefined {
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
