/** Conventions for a project's documents. Rules are paid for in every request, documents only when they are read. */
export const DOC_RULES: string = [
  "This is a document of the project (docs/): on demand, for people.",
  "- Facts, figures and how things work belong here; standing instructions to the agent belong in rules/ or CLAUDE.md.",
  "- Change what is there rather than appending to it; one subject a file; link instead of repeating.",
  "- State a date or a source for every figure; leave out what the code says itself.",
].join("\n");

/** Whether a changed file is a document of the project: `docs/*.md` in it, at any depth. */
export function isProjectDocument(path: string, project: string): boolean {
  const slashed = path.replaceAll("\\", "/");
  const root = project.replaceAll("\\", "/").replace(/\/+$/, "");
  const inside = slashed.startsWith(`${root}/`) ? slashed.slice(root.length + 1) : slashed;
  if (inside.startsWith("/") || inside.split("/").includes("..")) return false;
  return /^(?:.*\/)?docs\/(?:.*\/)?[^/]+\.md$/i.test(inside);
}

/** What is told at an edit: once a window, since what was told stays in it. */
export function decideDocRules(edit: {
  readonly path: string;
  readonly project: string;
  readonly isTold: boolean;
}): string {
  return !edit.isTold && isProjectDocument(edit.path, edit.project) ? DOC_RULES : "";
}
