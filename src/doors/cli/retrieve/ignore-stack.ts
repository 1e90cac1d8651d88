import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { DEFAULT_IGNORE_LINES } from "../../../guard/decide-ignored.ts";
import { type IgnoreRule, parseIgnoreRules } from "../../../guard/gitignore.ts";
import { isWildMatch } from "../../../guard/wildmatch.ts";

/** The ignore files that hold for a folder, those of the folders above it included; the nearest has the last word. */
export interface IgnoreStack {
  isIgnored(file: string, kind: { readonly isDirectory: boolean }): boolean;
  /** The same for a folder below, with what it adds. */
  enter(folder: string): IgnoreStack;
}

interface Level {
  readonly folder: string;
  readonly rules: readonly IgnoreRule[];
}

/** In each folder the later ones have the last word. */
const NAMES = [".gitignore", ".ignore", ".ckignore", ".plimsollignore"] as const;
const MAX_BYTES = 200_000;

/** Files that are large, made by machines, and hold every word there is. */
const GENERATED_LINES = [
  ...[
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "go.sum",
    "*.lock",
    "*.min.js",
    "*.min.css",
    "*.map",
    "*.snap",
  ],
];

/** From the folder that is searched: the rules of its repository count too, as git would have it. */
export function createIgnoreStack(folder: string): IgnoreStack {
  const above = listFoldersAbove(folder);
  const defaults = {
    folder: above[0] ?? folder,
    rules: parseIgnoreRules([...DEFAULT_IGNORE_LINES, ...GENERATED_LINES].join("\n")),
  };
  const exclude = { folder: defaults.folder, rules: parseFile(path.join(defaults.folder, ".git", "info", "exclude")) };
  return toStack([defaults, exclude, ...above.map(toLevel), toLevel(folder)]);
}

function toStack(levels: readonly Level[]): IgnoreStack {
  return {
    enter: (folder) => toStack([...levels, toLevel(folder)].filter(({ rules }) => rules.length > 0)),
    isIgnored: (file, { isDirectory }) => {
      for (const { folder, rules } of levels.toReversed()) {
        const seen = path.relative(folder, file).split(path.sep).join("/");
        const rule = rules.findLast(
          (candidate) =>
            (isDirectory || !candidate.isDirectoryOnly) &&
            isWildMatch(candidate.wild, candidate.isNameOnly ? path.basename(file) : seen),
        );
        if (rule !== undefined) return !rule.isNegated;
      }
      return false;
    },
  };
}

/** From the root of the repository down; none outside a repository. */
function listFoldersAbove(folder: string): readonly string[] {
  const above: string[] = [];
  for (let current = folder; ; current = path.dirname(current)) {
    if (current !== folder) above.unshift(current);
    if (existsSync(path.join(current, ".git"))) return above;
    if (path.dirname(current) === current) return [];
  }
}

function toLevel(folder: string): Level {
  return { folder, rules: NAMES.flatMap((name) => parseFile(path.join(folder, name))) };
}

/** A file that cannot be read counts as absent. */
function parseFile(file: string): readonly IgnoreRule[] {
  try {
    // Throws where a folder on the way is a file, as `.git` is in a worktree.
    const status = statSync(file, { throwIfNoEntry: false });
    if (!status?.isFile() || status.size > MAX_BYTES) return [];
    return parseIgnoreRules(readFileSync(file, "utf8"));
  } catch {
    return [];
  }
}
