import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { createIgnoreStack, type IgnoreStack } from "./ignore-stack.ts";

export interface TreeFile {
  /** From the folder that is searched, with slashes. */
  readonly path: string;
  readonly text: string;
}

export interface TreeCounts {
  readonly files: number;
  readonly bytes: number;
  readonly ignored: number;
  readonly binary: number;
  readonly tooLarge: number;
  readonly unreadable: number;
  /** Why not everything was looked at; `undefined` where it was. */
  readonly cutShort: string | undefined;
}

export interface TreeLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
  readonly maxFileBytes: number;
  readonly maxMs: number;
}

/** Enough for a large repository; what is larger is searched in part, which is said. */
export const TREE_LIMITS: TreeLimits = {
  maxFiles: 20_000,
  maxBytes: 64 * 1024 * 1024,
  maxFileBytes: 512 * 1024,
  maxMs: 10_000,
};

/** No text has a zero among its first bytes. */
const PROBED_BYTES = 8192;

interface Walk {
  readonly root: string;
  readonly limits: TreeLimits;
  readonly files: TreeFile[];
  readonly clockMs: () => number;
  readonly startedMs: number;
  counts: TreeCounts;
}

/** The texts of a working tree: what git would ignore is left out, so are binaries, links and what is too large. */
export function readTree(
  root: string,
  { clockMs, limits = TREE_LIMITS }: { clockMs(): number; readonly limits?: TreeLimits },
): { readonly files: readonly TreeFile[]; readonly counts: TreeCounts } {
  const counts: TreeCounts = {
    files: 0,
    bytes: 0,
    ignored: 0,
    binary: 0,
    tooLarge: 0,
    unreadable: 0,
    cutShort: undefined,
  };
  const walk: Walk = { root, limits, files: [], clockMs, startedMs: clockMs(), counts };
  // Breadth first: what a limit cuts off is what lies deepest.
  const folders: { readonly folder: string; readonly ignore: IgnoreStack }[] = [
    { folder: root, ignore: createIgnoreStack(root) },
  ];
  for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
    const { folder, ignore } = next;
    for (const entry of listEntries(folder, walk)) {
      walk.counts = { ...walk.counts, cutShort: findLimit(walk) };
      if (walk.counts.cutShort !== undefined) return { files: walk.files, counts: walk.counts };
      const file = path.join(folder, entry.name);
      const isDirectory = entry.isDirectory();
      if (!isDirectory && !entry.isFile()) continue;
      if (ignore.isIgnored(file, { isDirectory })) count(walk, "ignored");
      else if (isDirectory) folders.push({ folder: file, ignore: ignore.enter(file) });
      else addFile(file, walk);
    }
  }
  return { files: walk.files, counts: walk.counts };
}

function listEntries(folder: string, walk: Walk): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    count(walk, "unreadable");
    return [];
  }
}

function addFile(file: string, walk: Walk): void {
  try {
    if (statSync(file).size > walk.limits.maxFileBytes) {
      count(walk, "tooLarge");
      return;
    }
    const bytes = readFileSync(file);
    if (bytes.subarray(0, PROBED_BYTES).includes(0)) {
      count(walk, "binary");
      return;
    }
    walk.files.push({ path: path.relative(walk.root, file).split(path.sep).join("/"), text: bytes.toString("utf8") });
    walk.counts = { ...walk.counts, files: walk.counts.files + 1, bytes: walk.counts.bytes + bytes.length };
  } catch {
    count(walk, "unreadable");
  }
}

function count(walk: Walk, what: "ignored" | "binary" | "tooLarge" | "unreadable"): void {
  walk.counts = { ...walk.counts, [what]: walk.counts[what] + 1 };
}

function findLimit({ counts, limits, clockMs, startedMs }: Walk): string | undefined {
  if (counts.files >= limits.maxFiles) return `more than ${limits.maxFiles} files`;
  if (counts.bytes >= limits.maxBytes) return `more than ${Math.round(limits.maxBytes / 1024 / 1024)} MB`;
  return clockMs() - startedMs > limits.maxMs ? `more than ${limits.maxMs / 1000} s` : undefined;
}
