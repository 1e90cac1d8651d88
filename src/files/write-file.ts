import { closeSync, fchmodSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { errorCode } from "../core/error-code.ts";

const PRIVATE = 0o600;
const MAX_COPIES = 10_000;

export interface WriteOptions {
  /** Waits for the disk: the old content or the new one also when the power fails. */
  readonly isDurable?: boolean;
  /** Of a file that is the person's own; ours are readable by their owner only. */
  readonly mode?: number;
}

/** Whole or not at all. Whoever reads meanwhile, or comes after one who was killed, sees the old file or the new one. */
export function writeAtomically(file: string, content: string | Uint8Array, options: WriteOptions = {}): void {
  const aside = writeAside(file, content, options);
  try {
    renameSync(aside, file);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

/** Under the first free name of those that `nameCopy` gives, atomically too: a link fails where the name is taken. */
export function writeUnderFreeName(folder: string, content: Uint8Array, nameCopy: (copy: number) => string): string {
  const aside = writeAside(path.join(folder, "new"), content, {});
  try {
    for (let copy = 1; copy <= MAX_COPIES; copy++) {
      const name = nameCopy(copy);
      if (takeName(aside, path.join(folder, name))) return name;
    }
  } finally {
    rmSync(aside, { force: true });
  }
  throw new Error(`no free name like ${nameCopy(1)} in ${folder}`);
}

function takeName(aside: string, file: string): boolean {
  try {
    linkSync(aside, file);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** A full disk leaves nothing behind. */
function writeAside(file: string, content: string | Uint8Array, { isDurable = false, mode }: WriteOptions): string {
  const aside = path.join(path.dirname(file), `.${path.basename(file).slice(0, 80)}.${nameUniquely()}.tmp`);
  const handle = openSync(aside, "wx", mode ?? PRIVATE);
  try {
    // The process's mask may have taken something away from a mode that was asked for.
    if (mode !== undefined) fchmodSync(handle, mode);
    writeFileSync(handle, content);
    if (isDurable) fsyncSync(handle);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
  return aside;
}

/** Among processes by the number, within one by the clock; `wx` refuses whatever else is there. Costs no further module. */
function nameUniquely(): string {
  return `${process.pid}-${process.hrtime.bigint().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
}
