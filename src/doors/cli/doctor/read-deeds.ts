import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { locateData } from "../../../policy/deeds/data-paths.ts";
import { listJournals, type ReadDeeds, readJournals } from "../../../recorded/read-deeds.ts";

/** Enough to judge by, and bounded however long someone has been at work. */
const MAX_SESSIONS = 20;
const MAX_BYTES = 256 * 1024;

export interface Deeds extends ReadDeeds {
  readonly sessions: number;
}

/** What the newest sessions have noted of themselves. */
export function readRecentDeeds(configFolder: string): Deeds {
  const root = path.join(locateData(configFolder), "sessions");
  const newest = listNames(root)
    .map((name) => listJournals(path.join(root, name)))
    .map((journals) => ({ journals, atMs: Math.max(...journals.map(readTime)) }))
    .filter(({ atMs }) => atMs > 0)
    .sort((left, right) => right.atMs - left.atMs)
    .slice(0, MAX_SESSIONS);
  const files = newest.flatMap(({ journals }) => journals);
  return { ...readJournals(files, MAX_BYTES), sessions: newest.length };
}

/** What could not be written where it belongs. The temporary folder is everybody's: only our own files are believed. */
export function readFallback(temporary: string, uid: number): Deeds {
  const folder = path.join(temporary, `plimsoll-${uid}`);
  const names = listNames(folder).filter((name) => name.endsWith(".jsonl"));
  const files = names
    .map((name) => path.join(folder, name))
    .filter((file) => process.getuid === undefined || statSync(file, { throwIfNoEntry: false })?.uid === uid);
  return { ...readJournals(files.slice(0, MAX_SESSIONS), MAX_BYTES), sessions: 0 };
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readTime(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
