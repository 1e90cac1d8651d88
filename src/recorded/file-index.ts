import { readFileSync } from "node:fs";
import path from "node:path";
import { isObject } from "../core/json.ts";
import type { TranscriptFile } from "../hosts/host.ts";
import type { UsageScan } from "../hosts/usage.ts";
import { keepOwnFile, locateOwnData } from "./own-data.ts";

/** What was learned from files that have not changed since, by size and time. */
export interface FileIndex<Value> {
  find(file: IndexedFile): Value | undefined;
  put(file: IndexedFile, value: Value): void;
  /** Saves the entries that were read or written in this run. All others belong to files that are gone or no longer of interest. */
  save(): void;
}

export type IndexedFile = Pick<TranscriptFile, "path" | "bytes" | "modifiedMs">;

/** Where an index is stored, and the clock that says whether a file has settled. */
export interface IndexSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  nowMs(): number;
}

export interface IndexKind<Value> {
  readonly name: string;
  /** Raised whenever the same bytes are described differently; an older index is then void. */
  readonly format: number;
  /** The field that holds the entries, and the field of an entry that holds its value. */
  readonly fields: { readonly entries: string; readonly value: string };
  isValue(value: unknown): value is Value;
}

interface Entry<Value> extends Omit<IndexedFile, "path"> {
  readonly value: Value;
}

/** A file written just now may be written again within the same tick of its clock. */
const SETTLED_MS = 2000;

/** The index is only a cache: if it is unreadable, the files are read, and if it cannot be saved, it is not. */
export function openFileIndex<Value>(kind: IndexKind<Value>, surroundings: IndexSurroundings): FileIndex<Value> {
  const file = path.join(locateOwnData(surroundings.environment), kind.name);
  const known = readIndex(file, kind);
  const kept = new Map<string, Entry<Value>>();
  let isChanged = false;
  return {
    find({ path: name, bytes, modifiedMs }) {
      const entry = kept.get(name) ?? known.get(name);
      if (entry?.bytes !== bytes || entry.modifiedMs !== modifiedMs) return undefined;
      kept.set(name, entry);
      return entry.value;
    },
    put({ path: name, bytes, modifiedMs }, value) {
      if (surroundings.nowMs() - modifiedMs < SETTLED_MS) return;
      kept.set(name, { bytes, modifiedMs, value });
      isChanged = true;
    },
    save() {
      if (!isChanged) return;
      const entries = [...kept].map(([name, { bytes, modifiedMs, value }]) => [
        name,
        { bytes, modifiedMs, [kind.fields.value]: value },
      ]);
      const index = { format: kind.format, [kind.fields.entries]: Object.fromEntries(entries) };
      isChanged = !keepOwnFile(file, JSON.stringify(index));
    },
  };
}

/** Accepts only what we wrote in this format. */
function readIndex<Value>(file: string, kind: IndexKind<Value>): ReadonlyMap<string, Entry<Value>> {
  const known = new Map<string, Entry<Value>>();
  try {
    const index: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (!isObject(index) || index.format !== kind.format) return known;
    const entries = index[kind.fields.entries];
    for (const [name, entry] of isObject(entries) ? Object.entries(entries) : []) {
      if (!isObject(entry)) continue;
      const { bytes, modifiedMs } = entry;
      const value: unknown = entry[kind.fields.value];
      if (typeof bytes === "number" && typeof modifiedMs === "number" && kind.isValue(value))
        known.set(name, { bytes, modifiedMs, value });
    }
  } catch {
    // Absent or broken: start empty.
  }
  return known;
}

/** Usage of transcripts that have not changed since they were scanned. */
export type UsageIndex = FileIndex<UsageScan>;

const USAGE: IndexKind<UsageScan> = {
  name: "usage-index.json",
  format: 5,
  fields: { entries: "scans", value: "scan" },
  isValue: isScan,
};

export function openUsageIndex(surroundings: IndexSurroundings): UsageIndex {
  return openFileIndex(USAGE, surroundings);
}

function isScan(value: unknown): value is UsageScan {
  if (!isObject(value)) return false;
  const { steps, misses, compactions, lines, title, folder } = value;
  if (typeof title !== "string" || typeof folder !== "string") return false;
  return Array.isArray(steps) && Array.isArray(misses) && Array.isArray(compactions) && isObject(lines);
}
