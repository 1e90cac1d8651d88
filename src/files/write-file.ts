import { randomBytes } from "node:crypto";
import { linkSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

const PRIVATE = 0o600;
const MAX_COPIES = 10_000;

/** Whole or not at all, readable by its owner only. Whoever reads meanwhile sees the old file or the new one. */
export function writeAtomically(file: string, content: string | Uint8Array): void {
  const aside = writeAside(file, content);
  try {
    renameSync(aside, file);
  } catch (error) {
    removeQuietly(aside);
    throw error;
  }
}

/** Under the first free name of those that `nameCopy` gives, atomically too: a link fails where the name is taken. */
export function writeUnderFreeName(folder: string, content: Uint8Array, nameCopy: (copy: number) => string): string {
  const aside = writeAside(path.join(folder, "new"), content);
  try {
    for (let copy = 1; copy <= MAX_COPIES; copy++) {
      const name = nameCopy(copy);
      if (takeName(aside, path.join(folder, name))) return name;
    }
  } finally {
    removeQuietly(aside);
  }
  throw new Error(`no free name like ${nameCopy(1)} in ${folder}`);
}

function takeName(aside: string, file: string): boolean {
  try {
    linkSync(aside, file);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

function writeAside(file: string, content: string | Uint8Array): string {
  const aside = path.join(
    path.dirname(file),
    `.${path.basename(file).slice(0, 80)}.${randomBytes(6).toString("hex")}.tmp`,
  );
  writeFileSync(aside, content, { mode: PRIVATE, flag: "wx" });
  return aside;
}

function removeQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Gone already: that is what was wanted.
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
