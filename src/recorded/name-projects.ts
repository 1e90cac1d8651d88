import { groupBy } from "../core/group-by.ts";

export interface ProjectFile {
  readonly file: { readonly path: string; readonly project: string; readonly client?: string };
  /** Where the client was started; empty if it is not recorded. */
  readonly folder: string;
}

/** A project: its folder, and the shortest name that no other project here has. */
export interface NamedProject {
  readonly folder: string;
  readonly project: string;
}

/** The home folder is the same in every name, so it is left out. */
const HOME = /^(?:[A-Za-z]:)?\/(?:home|Users)\/[^/]+(?=\/)|^\/root(?=\/)/;
const SHOWN_SEGMENTS = 2;

/**
 * Names projects by their real folder, such as `shop/checkout`. Files that the client keeps under one name belong to one project; its
 * folder is the one in which most of them began. Two projects with the same ending get as many parent folders as tell them apart.
 */
export function nameProjects(files: readonly ProjectFile[]): ReadonlyMap<string, NamedProject> {
  const groups = groupBy(files, ({ file }) => `${file.client ?? ""}\n${file.project}`);
  const folders = new Map([...groups].map(([key, group]) => [key, findFolder(group)]));
  const names = nameFolders([...new Set(folders.values())]);
  const named = new Map<string, NamedProject>();
  for (const [key, group] of groups) {
    const folder = folders.get(key) ?? "";
    for (const { file } of group) named.set(file.path, { folder, project: names.get(folder) ?? folder });
  }
  return named;
}

function findFolder(group: readonly ProjectFile[]): string {
  const counts = new Map<string, number>();
  for (const { folder } of group) if (folder !== "") counts.set(folder, (counts.get(folder) ?? 0) + 1);
  const [most] = [...counts].sort(([, left], [, right]) => right - left);
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
