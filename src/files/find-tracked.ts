import type { ProjectFiles } from "./project-files.ts";
import { findGitFolder } from "./read-git-head.ts";

/**
 * Which of these files git tracks: they came with the repository, from whoever wrote it. Its index holds every path as it is. Where
 * there is a repository whose index cannot be read, all of them may have come with it.
 */
export async function findTracked(
  files: ProjectFiles,
  project: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const folder = names.length === 0 ? undefined : await findGitFolder(files, project);
  const index = `${folder}/index`;
  // Nothing was ever added to a repository without one.
  if (folder === undefined || (await files.kindOf(index)) === undefined) return new Set();
  return (await files.findWords(index, names)) ?? new Set(names);
}
