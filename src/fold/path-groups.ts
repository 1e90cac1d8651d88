/** Paths grouped by folder, in order of first appearance: `src/fold/: a.ts b.ts`. */
export function groupPaths(
  paths: Iterable<string>,
): readonly { readonly folder: string; readonly names: readonly string[] }[] {
  const groups = new Map<string, Set<string>>();
  for (const path of paths) {
    const cut = path.lastIndexOf("/", path.length - 2) + 1;
    const folder = path.slice(0, cut);
    const names = groups.get(folder) ?? new Set<string>();
    groups.set(folder, names.add(path.slice(cut)));
  }
  return [...groups].map(([folder, names]) => ({ folder, names: [...names] }));
}

/** The common folder with its trailing slash; empty if there is none worth naming. */
export function findCommonFolder(paths: readonly string[]): string {
  // Tools mix absolute and relative paths; one bare name must not hide the folder of all the others.
  const absolute = paths.filter((path) => path.startsWith("/"));
  const considered = absolute.length > paths.length / 2 ? absolute : paths;
  const [first = ""] = considered;
  let common = first.slice(0, first.lastIndexOf("/") + 1);
  for (const path of considered) while (!path.startsWith(common)) common = cutLastFolder(common);
  return common.length > 8 ? common : "";
}

export function cutCommon(path: string, common: string): string {
  return path.startsWith(common) ? path.slice(common.length) : path;
}

/** `a/b/` gives `a/`; `/` and `b/` give nothing. */
function cutLastFolder(folder: string): string {
  return folder.length < 2 ? "" : folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
}

/** Number of files by extension: `.ts 12, .md 3`. */
export function renderExtensions(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) {
    const dot = name.lastIndexOf(".");
    const extension = name.endsWith("/") ? "folders" : dot > 0 ? name.slice(dot) : "others";
    counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  return [...counts]
    .sort((left, right) => right[1] - left[1])
    .slice(0, 4)
    .map(([extension, count]) => `${extension} ${count}`)
    .join(", ");
}
