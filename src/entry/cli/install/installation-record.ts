import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { isObject, listField, numberField, parseJson, textField, textListField } from "../../../core/json.ts";
import { sha256 } from "../../../core/sha256.ts";
import { readPlainFile, writePrivateFile } from "../../../files/private-files.ts";
import { locateData } from "../../../policy/actions/data-paths.ts";
import type { AppliedChange } from "./apply-changes.ts";
import type { OwnText } from "./plan-settings.ts";

/** What installing did to a file, so that uninstalling can restore it byte for byte. */
export interface InstalledFile {
  readonly path: string;
  readonly isMade: boolean;
  readonly own: readonly OwnText[];
  readonly backup: string | undefined;
  readonly beforeSha256: string | undefined;
  /** Empty if others changed the file between two installs, so that no copy is the text it would have without us. */
  readonly afterSha256: string;
}

export interface InstallationRecord {
  readonly atMs: number;
  readonly files: readonly InstalledFile[];
}

const MAX_BYTES = 1 << 20;

function locateRecord(configFolder: string): string {
  return path.join(locateData(configFolder), "install.json");
}

/** Without a readable record, uninstalling goes by what it finds in the files. */
export function readRecord(configFolder: string): InstallationRecord | undefined {
  const found = readPlainFile(locateRecord(configFolder), MAX_BYTES);
  if (found === undefined || found.problem !== undefined) return undefined;
  const value = parseJson(found.text);
  if (!isObject(value)) return undefined;
  return { atMs: numberField(value, "atMs") ?? 0, files: listField(value, "files").filter(isObject).map(parseFile) };
}

function parseFile(file: Parameters<typeof textField>[0]): InstalledFile {
  return {
    path: textField(file, "path"),
    isMade: file.isMade === true,
    own: listField(file, "own")
      .filter(isObject)
      .map((one) => ({ path: textListField(one, "path"), text: one.text ?? "", isListed: one.isListed === true })),
    backup: textField(file, "backup") || undefined,
    beforeSha256: textField(file, "beforeSha256") || undefined,
    // Earlier versions marked a file that others had changed.
    afterSha256: file.isTouched === true ? "" : textField(file, "afterSha256"),
  };
}

/** Deletes the file if there is nothing to record. */
export function writeRecord(configFolder: string, record: InstallationRecord): void {
  const file = locateRecord(configFolder);
  if (record.files.length === 0) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writePrivateFile(file, `${JSON.stringify(record, null, 2)}\n`);
}

export function rememberChanges(configFolder: string, applied: readonly AppliedChange[], nowMs: number): void {
  const earlier = readRecord(configFolder)?.files ?? [];
  const files = applied.map((change) => {
    const known = earlier.find(({ path }) => path === change.path);
    return recordChange(change, known);
  });
  const untouched = earlier.filter(({ path }) => !applied.some((change) => change.path === path));
  writeRecord(configFolder, { atMs: nowMs, files: [...untouched, ...files] });
}

/** If only we have changed a file since the first install, its very first text can still be restored. */
function recordChange(change: AppliedChange, earlier: InstalledFile | undefined): InstalledFile {
  const { path: file, before, backup } = change;
  const afterSha256 = sha256(change.after ?? "");
  const own = change.own ?? earlier?.own ?? [];
  if (before === undefined || earlier === undefined) {
    const beforeSha256 = before === undefined ? undefined : sha256(before);
    return { path: file, isMade: before === undefined, own, backup, beforeSha256, afterSha256 };
  }
  const isOnlyOurs = earlier.afterSha256 === sha256(before);
  return { ...earlier, own, afterSha256: isOnlyOurs ? afterSha256 : "" };
}

/** The original text, if the file was not changed since and the copy is intact. */
export function readOriginal(
  record: InstalledFile,
  current: string,
): { readonly text: string | undefined } | undefined {
  if (sha256(current) !== record.afterSha256) return undefined;
  if (record.isMade) return { text: undefined };
  if (record.backup === undefined || !existsSync(record.backup)) return undefined;
  const text = readFileSync(record.backup, "utf8");
  return sha256(text) === record.beforeSha256 ? { text } : undefined;
}
