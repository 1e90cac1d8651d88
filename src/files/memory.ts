import { lstatSync, readdirSync } from "node:fs";
import path from "node:path";
import { quietly } from "../core/quietly.ts";
import { redactSecrets } from "../fold/redact-secrets.ts";
import {
  isTopicFile,
  MEMORY_INDEX_FILE,
  nameTopicFile,
  type TurnMemory,
} from "../library/prompt/memory/memory-index.ts";
import {
  type ConsolidatedMemories,
  consolidateMemories,
  type ExtractedMemory,
  type MergedMemory,
  mergeMemories,
} from "../library/prompt/memory/merge-memories.ts";
import { selectTopics } from "../library/prompt/memory/search-lines.ts";
import { renderStamp } from "../survive/project-state/stamp.ts";
import { locateTrust, readAgreedFile, writeAgreedFile } from "./node-agreement.ts";
import { openFolder, openStateFolder, type PlainFile, readPlainFile, writePrivateFile } from "./private-files.ts";
import { withLock } from "./with-lock.ts";

/** The durable memory: an index and one file per topic, in `.plimsoll/memory/`. No turn's context is ever written here. */

const MAX_FILE_BYTES = 1_000_000;

/** A folder of the caller's own; or one that may have come from elsewhere, with the folder that records the person's agreements. */
export type MemoryPlace = string | { readonly directory: string; readonly dataFolder: string };

export interface SkippedMemory {
  readonly file: string;
  readonly why: string;
}

export interface MemoryReport {
  readonly folder: string;
  readonly added: readonly MergedMemory[];
  readonly duplicates: readonly MergedMemory[];
  /** Not written, because the file cannot be read whole; the caller still has to keep them. */
  readonly refused: readonly ExtractedMemory[];
  readonly skipped: readonly SkippedMemory[];
}

/** What one turn is given: the index, and the topics that match its task. */
export function loadMemory(
  place: MemoryPlace,
  task: string,
  options: { readonly maxTopics?: number } = {},
): TurnMemory & { readonly skipped: readonly SkippedMemory[] } {
  const skipped: SkippedMemory[] = [];
  const files = openMemoryFiles(place);
  const index = files.read(MEMORY_INDEX_FILE, skipped) ?? "";
  const topics = selectTopics(index, task, options).flatMap((file) => {
    const text = files.read(file, skipped);
    return text === undefined ? [] : [{ file, text }];
  });
  return { index, topics, skipped };
}

export function readMemoryTopic(place: MemoryPlace, file: string): string | undefined {
  return isTopicFile(file) ? openMemoryFiles(place).read(file, []) : undefined;
}

/** Adds lessons to their topics, secrets masked. Topics are written before the index, so that every line of it leads somewhere. */
export function saveMemories(place: MemoryPlace, extracted: readonly ExtractedMemory[], nowMs: number): MemoryReport {
  const { state, folder, files } = openMemoryFolder(place);
  return withLock(path.join(state, ".lock"), () => {
    const skipped: SkippedMemory[] = [];
    const names = new Set(extracted.map(({ topic }) => nameTopicFile(topic)));
    const topics = Object.fromEntries(
      [...names].flatMap((file) => {
        const text = files.read(file, skipped);
        return text === undefined ? [] : [[file, text]];
      }),
    );
    const unreadable = new Set(skipped.map(({ file }) => file));
    const index = files.read(MEMORY_INDEX_FILE, skipped) ?? "";
    const isRefused = ({ topic }: ExtractedMemory): boolean => unreadable.has(nameTopicFile(topic));
    const safe = extracted
      .filter((memory) => !isRefused(memory))
      .map(({ topic, text }) => ({ topic, text: redactSecrets(text) }));
    const merged = mergeMemories({ index, topics }, safe, { date: renderStamp(nowMs).slice(0, 10) });
    for (const [file, text] of Object.entries(merged.changed)) files.write(file, text);
    const isIndexReadable = skipped.every(({ file }) => file !== MEMORY_INDEX_FILE);
    if (isIndexReadable && merged.index !== index) files.write(MEMORY_INDEX_FILE, merged.index);
    const { added, duplicates } = merged;
    return { folder, added, duplicates, refused: extracted.filter(isRefused), skipped };
  });
}

export interface ConsolidationReport extends ConsolidatedMemories {
  readonly folder: string;
  /** Left unchanged, because they could not be read whole. */
  readonly skipped: readonly SkippedMemory[];
}

/** Tidies the memory. A topic that cannot be read keeps its line in the index; without a readable index nothing changes. */
export function consolidateMemory(place: MemoryPlace): ConsolidationReport {
  const { state, folder, files } = openMemoryFolder(place);
  return withLock(path.join(state, ".lock"), () => {
    const skipped: SkippedMemory[] = [];
    const index = files.read(MEMORY_INDEX_FILE, skipped) ?? "";
    const isIndexReadable = skipped.length === 0;
    const names = isIndexReadable ? readdirSync(folder).filter(isTopicFile).sort() : [];
    const texts = names.map((file) => [file, files.read(file, skipped)] as const);
    const unreadable = new Set(skipped.map(({ file }) => file));
    const topics = Object.fromEntries(texts.map(([file, text]) => [file, text ?? ""]));
    const put = consolidateMemories({ index, topics: isIndexReadable ? topics : {} });
    if (isIndexReadable) {
      for (const [file, text] of Object.entries(put.changed)) if (!unreadable.has(file)) files.write(file, text);
      if (put.index !== index) files.write(MEMORY_INDEX_FILE, put.index);
    }
    return { ...put, folder, skipped };
  });
}

function openMemoryFolder(place: MemoryPlace) {
  const state = openStateFolder(toPlace(place).directory);
  return { state, folder: openFolder(path.join(state, "memory")), files: openMemoryFiles(place) };
}

function openMemoryFiles(place: MemoryPlace) {
  const { directory, dataFolder } = toPlace(place);
  const trust = dataFolder === undefined ? undefined : locateTrust(directory, dataFolder);
  const state = path.join(directory, ".plimsoll");
  return {
    read(file: string, skipped: SkippedMemory[]): string | undefined {
      const name = `.plimsoll/memory/${file}`;
      const readFile = (): PlainFile | undefined =>
        trust === undefined
          ? readPlainFile(path.join(directory, name), MAX_FILE_BYTES)
          : readAgreedFile(trust, name, MAX_FILE_BYTES);
      // `readPlainFile` checks the folder itself; the one above it comes with the project as well.
      // If it is missing or may not be looked at, reading says which.
      const isLink = quietly(() => lstatSync(state).isSymbolicLink(), false);
      const found = isLink ? { text: "", problem: "is in a folder that is a link" } : readFile();
      if (found?.problem === undefined) return found?.text;
      skipped.push({ file, why: found.problem });
      return undefined;
    },
    write(file: string, text: string): void {
      const name = `.plimsoll/memory/${file}`;
      if (trust === undefined) writePrivateFile(path.join(directory, name), text);
      else writeAgreedFile(trust, name, text);
    },
  };
}

function toPlace(place: MemoryPlace): { readonly directory: string; readonly dataFolder?: string } {
  return typeof place === "string" ? { directory: place } : place;
}
