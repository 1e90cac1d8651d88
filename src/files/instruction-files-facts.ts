import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { isObject, objectField, parseJson } from "../core/json.ts";
import type { StalenessFacts } from "../library/prompt/instructions/check-staleness.ts";
import { listEntries } from "./list-files.ts";
import { readPlainText } from "./private-files.ts";

const DAY_MS = 86_400_000;
const MAX_FILE_BYTES = 1_000_000;

/** What the disk says about an instruction file's claims. The number of commits since is left to a caller with a repository. */
export function readStalenessFacts(root: string, file: string, nowMs: number): StalenessFacts {
  const folders = [...new Set([path.resolve(root), path.dirname(path.resolve(root, file))])];
  const scripts = folders.map(readScripts).filter((found) => found !== undefined);
  const targets = folders.map(readTargets).filter((found) => found !== undefined);
  let tree: Tree | undefined;
  const changedMs = statSync(path.resolve(root, file), { throwIfNoEntry: false })?.mtimeMs;
  return {
    exists(mentioned) {
      if (folders.some((folder) => isThere(path.resolve(folder, mentioned), root))) return true;
      tree ??= readTree(path.resolve(root));
      return tree.has(`/${mentioned.replace(/^\.\//, "").replace(/\/$/, "")}`);
    },
    ...(scripts.length > 0 && { scripts: scripts.flat() }),
    ...(targets.length > 0 && { targets: targets.flat() }),
    ...(changedMs !== undefined && { ageDays: Math.max(0, (nowMs - changedMs) / DAY_MS) }),
  };
}

/** The file need not keep up with what is outside the project. */
function isThere(mentioned: string, root: string): boolean {
  const within = path.relative(path.resolve(root), mentioned);
  return within.startsWith("..") || path.isAbsolute(within) || existsSync(mentioned);
}

interface Tree {
  /** Whether a path ends like this: `core/edit.ts` matches `src/core/edit.ts` too. */
  has(suffix: string): boolean;
}

const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git", "dist", "build", "target", "vendor", ".venv"]);
const MAX_ENTRIES = 50_000;

/** In a tree too large to be listed everything counts as existing, so that nothing is wrongly called gone. */
function readTree(root: string): Tree {
  const found: string[] = [];
  const waiting = [""];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of listEntries(path.join(root, folder))) {
      const name = `${folder}/${entry.name}`;
      found.push(name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) waiting.push(name);
    }
    if (found.length > MAX_ENTRIES) return { has: () => true };
  }
  return { has: (suffix) => found.some((name) => name.endsWith(suffix)) };
}

/** `undefined` without a package to have scripts. */
function readScripts(folder: string): readonly string[] | undefined {
  const manifest = parseJson(readPlainText(path.join(folder, "package.json"), MAX_FILE_BYTES) ?? "");
  // Torn or not JSON: nothing is known of its scripts, so nothing is said about them.
  if (manifest === undefined) return undefined;
  return isObject(manifest) ? Object.keys(objectField(manifest, "scripts") ?? {}) : [];
}

const TARGETS = /^([\w.-]+(?: [\w.-]+)*) *:(?!=)/gm;

function readTargets(folder: string): readonly string[] | undefined {
  const targets = readPlainText(path.join(folder, "Makefile"), MAX_FILE_BYTES)?.matchAll(TARGETS);
  return targets && [...targets].flatMap(([, names = ""]) => names.split(" "));
}
