import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { DEFAULT_IGNORE_LINES } from "../../guard/decide-ignored.ts";
import { type IgnoreRule, parseIgnoreRules } from "../../guard/gitignore.ts";
import { isWildMatch } from "../../guard/wildmatch.ts";
import { readQuietly } from "../read-regular-file.ts";

export interface TreeFile {
  /** Relative to the searched folder, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Filled while a tree is walked. */
export interface TreeCounts {
  files: number;
  bytes: number;
  ignored: number;
  binary: number;
  tooLarge: number;
  unreadable: number;
  /** Why not everything was searched; `undefined` if it was. */
  cutShort: string | undefined;
}

export interface TreeLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
  readonly maxFileBytes: number;
  readonly maxMs: number;
}

/** Enough for a large repository; a larger one is searched in part, which is reported. */
export const TREE_LIMITS: TreeLimits = {
  maxFiles: 20_000,
  maxBytes: 64 * 1024 * 1024,
  maxFileBytes: 512 * 1024,
  maxMs: 10_000,
};

/** A text has no zero among its first bytes. */
const PROBED_BYTES = 8192;

interface Walk {
  readonly root: string;
  readonly limits: TreeLimits;
  readonly files: TreeFile[];
  readonly clockMs: () => number;
  readonly startedMs: number;
  readonly counts: TreeCounts;
}

/** The texts of a working tree, without ignored files, binaries, links and files that are too large. */
export function readTree(
  root: string,
  {
    clockMs,
    limits = TREE_LIMITS,
    isWanted = () => true,
  }: { clockMs(): number; readonly limits?: TreeLimits; isWanted?(name: string): boolean },
): { readonly files: readonly TreeFile[]; readonly counts: TreeCounts } {
  const files: TreeFile[] = [];
  const none = { files: 0, bytes: 0, ignored: 0, binary: 0, tooLarge: 0, unreadable: 0 };
  const counts: TreeCounts = { ...none, cutShort: undefined };
  const walk: Walk = { root, limits, files, clockMs, startedMs: clockMs(), counts };
  // Breadth first, so a limit cuts off the deepest files.
  const folders: { readonly folder: string; readonly ignore: IgnoreStack }[] = [
    { folder: root, ignore: createIgnoreStack(root) },
  ];
  for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
    const { folder, ignore } = next;
    for (const entry of listEntries(folder, walk)) {
      counts.cutShort = findLimit(walk);
      if (counts.cutShort !== undefined) return { files, counts };
      const file = path.join(folder, entry.name);
      const isDirectory = entry.isDirectory();
      if (!isDirectory && !entry.isFile()) continue;
      if (ignore.isIgnored(file, { isDirectory })) counts.ignored++;
      else if (isDirectory) folders.push({ folder: file, ignore: ignore.enter(file) });
      else if (isWanted(entry.name)) addFile(file, walk);
    }
  }
  return { files, counts };
}

function listEntries(folder: string, { counts }: Walk): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    counts.unreadable++;
    return [];
  }
}

function addFile(file: string, { root, limits, files, counts }: Walk): void {
  try {
    const bytes = statSync(file).size > limits.maxFileBytes ? undefined : readFileSync(file);
    if (bytes === undefined) counts.tooLarge++;
    else if (bytes.subarray(0, PROBED_BYTES).includes(0)) counts.binary++;
    else {
      files.push({ path: path.relative(root, file).split(path.sep).join("/"), text: bytes.toString("utf8") });
      counts.files++;
      counts.bytes += bytes.length;
    }
  } catch {
    counts.unreadable++;
  }
}

function findLimit({ counts, limits, clockMs, startedMs }: Walk): string | undefined {
  if (counts.files >= limits.maxFiles) return `more than ${limits.maxFiles} files`;
  if (counts.bytes >= limits.maxBytes) return `more than ${Math.round(limits.maxBytes / 1024 / 1024)} MB`;
  return clockMs() - startedMs > limits.maxMs ? `more than ${limits.maxMs / 1000} s` : undefined;
}

/** The ignore files for a folder, those of the folders above it included; the nearest takes precedence. */
interface IgnoreStack {
  isIgnored(file: string, kind: { readonly isDirectory: boolean }): boolean;
  enter(folder: string): IgnoreStack;
}

interface Level {
  readonly folder: string;
  readonly rules: readonly IgnoreRule[];
}

/** In each folder, later ones take precedence. */
const NAMES = [".gitignore", ".ignore", ".ckignore", ".plimsollignore"] as const;
const MAX_BYTES = 200_000;

/** Files that are large, generated, and contain every word there is. */
const GENERATED_LINES = [
  ...`package-lock.json npm-shrinkwrap.json pnpm-lock.yaml go.sum *.lock *.min.js *.min.css *.map *.snap`.split(/\s+/),
];

/** From the searched folder: the rules of its repository count too, as in git. */
function createIgnoreStack(folder: string): IgnoreStack {
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

/** From the root of the repository down; empty outside a repository. */
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

function parseFile(file: string): readonly IgnoreRule[] {
  return parseIgnoreRules(readQuietly(file, MAX_BYTES));
}
