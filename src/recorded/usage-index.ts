import { isObject } from "../core/json-fields.ts";
import type { UsageScan } from "../hosts/usage.ts";
import { type FileIndex, type IndexKind, type IndexSurroundings, openFileIndex } from "./file-index.ts";

/** Accounts of transcripts that have not changed since they were scanned. */
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
