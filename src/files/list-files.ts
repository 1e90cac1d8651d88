import { type Dirent, existsSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { quietly } from "../core/quietly.ts";

export interface FoundFile {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** Every file below a folder whose name is wanted, or the file itself; newest first. Unreadable folders are skipped, links are not followed. */
export function listFiles(
  root: string,
  isWanted: (name: string) => boolean,
  maxDepth: number = Number.POSITIVE_INFINITY,
): readonly FoundFile[] {
  if (!existsSync(root)) return [];
  const found = statSync(root).isDirectory() ? walk(root, isWanted, maxDepth) : [root];
  return found
    .flatMap((file) => describe(file) ?? [])
    .sort((left, right) => right.modifiedMs - left.modifiedMs || compareText(left.path, right.path));
}

function walk(folder: string, isWanted: (name: string) => boolean, depth: number): readonly string[] {
  return listEntries(folder).flatMap((entry) => {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) return depth > 1 ? walk(full, isWanted, depth - 1) : [];
    return entry.isFile() && isWanted(entry.name) ? [full] : [];
  });
}

/** Empty if there is no folder, or none that can be read. */
export function listEntries(folder: string): readonly Dirent[] {
  return quietly(() => readdirSync(folder, { withFileTypes: true }), []);
}

/** `undefined` if it was removed between listing and reading. */
function describe(file: string): FoundFile | undefined {
  const status = quietly(() => statSync(file), undefined);
  return status && { path: file, bytes: status.size, modifiedMs: status.mtimeMs };
}

export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The folder that a variable of the environment names, or the one below the person's home. */
export function locateFolder(
  { name, otherwise, folder }: { readonly name: string; readonly otherwise: string; readonly folder?: string },
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const root = environment[name] || path.join(environment.HOME || homedir(), otherwise.slice("~".length));
  return folder === undefined ? root : path.join(root, folder);
}

/** The file on disk that contains a transcript: a session in a database is named by the file, a `#` and its id. */
export function findHoldingFile(transcript: string): string {
  return existsSync(transcript) ? transcript : transcript.replace(/#[^#/\\]*$/, "");
}
