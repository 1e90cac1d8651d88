import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { isObject } from "../core/json.ts";
import { findHoldingFile } from "../files/list-files.ts";
import { type Hosts, locateAll } from "../hosts/catalogue.ts";
import type { TranscriptFile } from "../hosts/host.ts";
import type { UsageScan } from "../hosts/usage.ts";
import { keepGone } from "./history.ts";
import { keepOwnFile, locateOwnData } from "./own-data.ts";

/** What was learned from files that have not changed since, by size and time. */
export interface FileIndex<Value> {
  find(file: Pick<TranscriptFile, "path" | "bytes" | "modifiedMs">): Value | undefined;
  put(file: TranscriptFile, value: Value): void;
  /** Saves the entries that were read or written in this run. All others belong to files that are gone or no longer of interest. */
  save(): void;
}

interface Entry<Value> {
  readonly file: TranscriptFile;
  readonly value: Value;
}

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
  /** Takes over what is known of files that are gone. Returns whether it did. Without it, an index keeps only what this run asked for. */
  keepGone?(gone: readonly Entry<Value>[]): boolean;
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
      if (entry?.file.bytes !== bytes || entry.file.modifiedMs !== modifiedMs) return undefined;
      kept.set(name, entry);
      return entry.value;
    },
    put(fresh, value) {
      if (surroundings.nowMs() - fresh.modifiedMs < SETTLED_MS) return;
      kept.set(fresh.path, { file: fresh, value });
      isChanged = true;
    },
    save() {
      if (kind.keepGone) isChanged = moveGone(known, kept, kind.keepGone) || isChanged;
      if (!isChanged) return;
      const entries = [...kept].map(([name, { file: indexed, value }]) => {
        const { path: _, ...rest } = indexed;
        return [name, { ...rest, [kind.fields.value]: value }];
      });
      const index = { format: kind.format, [kind.fields.entries]: Object.fromEntries(entries) };
      isChanged = !keepOwnFile(file, JSON.stringify(index));
    },
  };
}

/** Keeps the entries of all files that are still there, asked for or not, and hands the others over. Returns whether there were any. */
function moveGone<Value>(
  known: ReadonlyMap<string, Entry<Value>>,
  kept: Map<string, Entry<Value>>,
  keep: (gone: readonly Entry<Value>[]) => boolean,
): boolean {
  for (const [name, entry] of known) if (!kept.has(name)) kept.set(name, entry);
  const gone = [...kept].filter(([name]) => !existsSync(findHoldingFile(name)));
  if (gone.length === 0 || !keep(gone.map(([, entry]) => entry))) return false;
  for (const [name] of gone) kept.delete(name);
  return true;
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
      const { bytes, modifiedMs, project, isSubagent, client } = entry;
      const value: unknown = entry[kind.fields.value];
      if (typeof bytes !== "number" || typeof modifiedMs !== "number" || !kind.isValue(value)) continue;
      const file = { path: name, bytes, modifiedMs, project: String(project), isSubagent: isSubagent === true };
      known.set(name, { file: typeof client === "string" ? { ...file, client } : file, value });
    }
  } catch {
    // Absent or broken: start empty.
  }
  return known;
}

/** Usage of transcripts that have not changed since they were scanned. */
export type UsageIndex = FileIndex<UsageScan>;

/** The sums of files below the clients' own folders outlive these: a client deletes its transcripts after some weeks. */
export function openUsageIndex(surroundings: IndexSurroundings & { readonly hosts?: Hosts | undefined }): UsageIndex {
  const { environment, hosts } = surroundings;
  const isOwn = (name: string): boolean => locateAll(environment, hosts).some((root) => name.startsWith(root));
  return openFileIndex(
    {
      name: "usage-index.json",
      format: 6,
      fields: { entries: "scans", value: "scan" },
      isValue: isScan,
      keepGone: (gone) => {
        const own = gone.filter(({ file, value }) => isOwn(file.path) && value.steps.length > 0);
        const kept = own.map(({ file, value }) => ({ file, scan: value }));
        return kept.length === 0 || keepGone(environment, kept);
      },
    },
    surroundings,
  );
}

function isScan(value: unknown): value is UsageScan {
  if (!isObject(value)) return false;
  const { steps, misses, compactions, lines, title, folder } = value;
  if (typeof title !== "string" || typeof folder !== "string") return false;
  return Array.isArray(steps) && Array.isArray(misses) && Array.isArray(compactions) && isObject(lines);
}
