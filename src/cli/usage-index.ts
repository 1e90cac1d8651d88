import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { locateClientHome, type TranscriptFile } from "../hosts/claude-code/disk/projects.ts";
import type { UsageScan } from "../hosts/claude-code/disk/scan-usage.ts";
import { isObject } from "../hosts/claude-code/json-fields.ts";
import { writePrivateFile } from "../store/private-files.ts";
import type { Terminal } from "./command.ts";

/** Accounts of transcripts that have not changed since they were scanned, known by size and time. */
export interface UsageIndex {
  find(file: TranscriptFile): UsageScan | undefined;
  put(file: TranscriptFile, scan: UsageScan): void;
  /** Keeps what was asked for or put; whatever else it held is of files that are gone or not looked at any more. */
  save(): void;
}

interface IndexFile {
  /** Raised whenever a scan tells something else of the same bytes: an older index is void. */
  readonly format: typeof FORMAT;
  readonly scans: Readonly<Record<string, IndexEntry>>;
}

interface IndexEntry {
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly scan: UsageScan;
}

const FORMAT = 1;
/** A file written just now may be written again within the same tick of its clock. */
const SETTLED_MS = 2000;

/** The index is ours to lose: whatever is wrong with it, files are scanned, and whatever cannot be saved is not. */
export function openUsageIndex(terminal: Terminal): UsageIndex {
  const file = path.join(locateClientHome(terminal.environment), "data", "plimsoll", "usage-index.json");
  const known = readIndex(file);
  const kept = new Map<string, IndexEntry>();
  let isChanged = false;
  return {
    find({ path: name, bytes, modifiedMs }) {
      const entry = known[name];
      if (entry?.bytes !== bytes || entry.modifiedMs !== modifiedMs) return undefined;
      kept.set(name, entry);
      return entry.scan;
    },
    put({ path: name, bytes, modifiedMs }, scan) {
      if (terminal.nowMs() - modifiedMs < SETTLED_MS) return;
      kept.set(name, { bytes, modifiedMs, scan });
      isChanged = true;
    },
    save() {
      if (!isChanged) return;
      const index: IndexFile = { format: FORMAT, scans: Object.fromEntries(kept) };
      try {
        mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
        writePrivateFile(file, JSON.stringify(index));
      } catch {
        // A home that cannot be written costs the next run its head start, nothing else.
      }
    },
  };
}

function readIndex(file: string): IndexFile["scans"] {
  try {
    const index: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isIndex(index) ? index.scans : {};
  } catch {
    return {};
  }
}

/** Written by ourselves in this format, or not taken at all. */
function isIndex(value: unknown): value is IndexFile {
  return (
    isObject(value) && value.format === FORMAT && isObject(value.scans) && Object.values(value.scans).every(isEntry)
  );
}

function isEntry(value: unknown): value is IndexEntry {
  if (!isObject(value) || !isObject(value.scan)) return false;
  const { steps, misses, compactions, lines } = value.scan;
  return Array.isArray(steps) && Array.isArray(misses) && Array.isArray(compactions) && isObject(lines);
}
