import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import path from "node:path";
import { locateData, SESSION_FILES } from "../../../policy/deeds/data-paths.ts";
import { type Deed, parseDeed } from "../../../policy/deeds/deed.ts";

/** Enough to judge by, and bounded however long someone has been at work. */
const MAX_SESSIONS = 20;
const MAX_BYTES = 256 * 1024;

const JOURNALS = [SESSION_FILES.moduleDeeds, SESSION_FILES.hookDeeds];

export interface Deeds {
  /** Oldest first. */
  readonly deeds: readonly Deed[];
  readonly sessions: number;
  /** Lines that are no deeds. */
  readonly skipped: number;
}

/** What the newest sessions have noted of themselves. */
export function readDeeds(configFolder: string): Deeds {
  const root = path.join(locateData(configFolder), "sessions");
  const newest = listFolders(root)
    .map((folder) => ({ folder, atMs: Math.max(...JOURNALS.map((name) => readTime(path.join(folder, name)))) }))
    .filter(({ atMs }) => atMs > 0)
    .sort((left, right) => right.atMs - left.atMs)
    .slice(0, MAX_SESSIONS);
  const journals = newest.flatMap(({ folder }) => JOURNALS.map((name) => readJournal(path.join(folder, name))));
  return { ...merge(journals), sessions: newest.length };
}

/** What could not be written where it belongs. The temporary folder is everybody's: only our own files are believed. */
export function readFallback(temporary: string, uid: number): Deeds {
  const folder = path.join(temporary, `plimsoll-${uid}`);
  const names = listNames(folder).filter((name) => name.endsWith(".jsonl"));
  const files = names
    .map((name) => path.join(folder, name))
    .filter((file) => process.getuid === undefined || statSync(file, { throwIfNoEntry: false })?.uid === uid);
  return { ...merge(files.slice(0, MAX_SESSIONS).map(readJournal)), sessions: 0 };
}

function merge(journals: readonly Pick<Deeds, "deeds" | "skipped">[]): Pick<Deeds, "deeds" | "skipped"> {
  return {
    deeds: journals.flatMap(({ deeds }) => deeds).sort((left, right) => left.atMs - right.atMs),
    skipped: journals.reduce((sum, { skipped }) => sum + skipped, 0),
  };
}

function readJournal(file: string): Pick<Deeds, "deeds" | "skipped"> {
  const lines = readTail(file)
    .split("\n")
    .filter((line) => line !== "");
  const deeds = lines.map(parseDeed).filter((deed) => deed !== undefined);
  return { deeds, skipped: lines.length - deeds.length };
}

/** The end of a file, from the first whole line on. */
function readTail(file: string): string {
  let handle: number | undefined;
  try {
    handle = openSync(file, "r");
    const { size } = fstatSync(handle);
    const start = Math.max(0, size - MAX_BYTES);
    const bytes = Buffer.alloc(size - start);
    const text = bytes.toString("utf8", 0, readSync(handle, bytes, 0, bytes.length, start));
    return start === 0 ? text : text.slice(text.indexOf("\n") + 1);
  } catch {
    // Gone, or not to be read: nothing is known from it.
    return "";
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function listFolders(root: string): readonly string[] {
  return listNames(root).map((name) => path.join(root, name));
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
