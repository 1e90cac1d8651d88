import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { quietly } from "../core/quietly.ts";
import { errorCode } from "../core/render-failure.ts";

/** Files that only their owner can read, in a folder that comes with a project and is therefore not trusted: no link is followed. */

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** An error whose message an entry point shows to the person. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: "link" | "locked";

  constructor(code: StoreError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

export interface PlainFile {
  readonly text: string;
  /** Why the file cannot be read whole; its text is then empty. */
  readonly problem: string | undefined;
}

/** The bytes of a regular file of any size; throws for anything else. Here and below without blocking: a pipe would block for ever. */
export function readPlainBytes(file: string): Buffer {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(handle).isFile()) throw new StoreError("link", `${file} is not a regular file`);
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** `undefined` if there is no such file. Never throws: an unreadable file is a problem to report. */
export function readPlainFile(file: string, maxBytes: number): PlainFile | undefined {
  let handle: number | undefined;
  try {
    if (lstatSync(path.dirname(file)).isSymbolicLink()) return { text: "", problem: "is in a folder that is a link" };
    // Without blocking, because a pipe in place of a file would block for ever.
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const status = fstatSync(handle);
    if (!status.isFile()) return { text: "", problem: "is not a regular file" };
    if (status.size > maxBytes) return { text: "", problem: `is larger than ${maxBytes} bytes` };
    return decode(readBytes(handle, maxBytes + 1), maxBytes);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    return { text: "", problem: code === "ELOOP" || code === "EMLINK" ? "is a link" : `cannot be read (${code})` };
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** `undefined` if there is no such file, or none that can be read whole. */
export function readPlainText(file: string, maxBytes: number): string | undefined {
  const found = readPlainFile(file, maxBytes);
  return found?.problem === undefined ? found?.text : undefined;
}

function readBytes(handle: number, maxBytes: number): Uint8Array {
  const bytes = new Uint8Array(maxBytes);
  let length = 0;
  for (;;) {
    const read = readSync(handle, bytes, length, maxBytes - length, null);
    if (read === 0) return bytes.subarray(0, length);
    length += read;
  }
}

/** Strict: a text with replacement characters would be written back changed. */
function decode(bytes: Uint8Array, maxBytes: number): PlainFile {
  if (bytes.length > maxBytes) return { text: "", problem: `is larger than ${maxBytes} bytes` };
  const text = quietly(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), undefined);
  return text === undefined ? { text: "", problem: "is not UTF-8 text" } : { text, problem: undefined };
}

/** Leaves the old text or the new one, never half of one, even after a power failure. */
export function writePrivateFile(file: string, text: string): void {
  writeAtomically(file, text, { isDurable: true });
}

export function appendPrivateFile(file: string, text: string): void {
  // Without blocking: a pipe without a reader would block for ever.
  const flags =
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = openSync(file, flags, FILE_MODE);
  let size: number | undefined;
  try {
    const before = fstatSync(handle);
    if (!before.isFile()) throw new StoreError("link", `${file} is not a regular file: move it away`);
    size = before.size;
    writeAll(handle, text);
  } catch (error) {
    // A full disk takes the name of a new file, and not a byte of it.
    if (size === 0 && fstatSync(handle).size === 0) rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

function writeAll(handle: number, text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let from = 0; from < bytes.length; ) from += writeSync(handle, bytes, from);
}

/** Creates the project's `.plimsoll/` with its own `.gitignore`, so that its files are not committed. */
export function openStateFolder(directory: string): string {
  const folder = openFolder(path.join(directory, ".plimsoll"));
  chmodSync(folder, FOLDER_MODE);
  writeIgnoreFile(folder);
  return folder;
}

export function writeIgnoreFile(folder: string): void {
  const ignore = path.join(folder, ".gitignore");
  const stat = lstatSync(ignore, { throwIfNoEntry: false });
  // A full disk leaves an empty one behind.
  if (stat === undefined || (stat.isFile() && stat.size === 0)) writePrivateFile(ignore, "*\n");
}

/** Creates a folder inside one of ours. A repository may contain a link in its place, and what we store must not end up where it leads. */
export function openFolder(folder: string): string {
  const found = hasMade(folder) ? undefined : lstatSync(folder);
  if (found && !found.isDirectory()) throw new StoreError("link", describeObstacle(folder, found.isSymbolicLink()));
  return folder;
}

/** Why nothing is stored in a place of ours, and what to do. A repository may contain a link there, which could lead anywhere. */
export function describeObstacle(place: string, isLink: boolean): string {
  return isLink
    ? `${place} is a link, and Plimsoll never writes through a link: remove the link, or replace it with a folder`
    : `${place} is not a folder: move it away, then try again`;
}

/** False if there is one. */
export function hasMade(folder: string): boolean {
  return isFirst(() => mkdirSync(folder, { mode: FOLDER_MODE }));
}

/** Checks by creating it: another process may create it between a check and the creation. */
function isFirst(create: () => void): boolean {
  try {
    create();
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

const MAX_COPIES = 10_000;

interface WriteOptions {
  /** Waits for the disk, so that the old or the new content survives a power failure. */
  readonly isDurable?: boolean;
  /** For a file of the person's own; ours are readable by their owner only. */
  readonly mode?: number;
}

/** Writes all or nothing. A concurrent reader, or a process after one that was killed, sees the old file or the new one. */
export function writeAtomically(file: string, content: string | Uint8Array, options: WriteOptions = {}): void {
  const aside = writeAside(file, content, options);
  try {
    renameSync(aside, file);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

/** Uses the first free name from `nameCopy`, atomically too: creating a link fails if the name is taken. */
export function writeUnderFreeName(folder: string, content: Uint8Array, nameCopy: (copy: number) => string): string {
  const aside = writeAside(path.join(folder, "new"), content, {});
  try {
    for (let copy = 1; copy <= MAX_COPIES; copy++) {
      const name = nameCopy(copy);
      if (isFirst(() => linkSync(aside, path.join(folder, name)))) return name;
    }
  } finally {
    rmSync(aside, { force: true });
  }
  throw new Error(`all names like ${nameCopy(1)} are taken in ${folder}`);
}

/** Leaves nothing behind on a full disk. */
function writeAside(file: string, content: string | Uint8Array, { isDurable = false, mode }: WriteOptions): string {
  const aside = path.join(path.dirname(file), `.${path.basename(file).slice(0, 80)}.${nameUniquely()}.tmp`);
  const handle = openSync(aside, "wx", mode ?? FILE_MODE);
  try {
    // The umask may have removed something from the requested mode.
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

/** Unique among processes by pid, within one by the clock; `wx` rejects any other collision. Loads no further module. */
function nameUniquely(): string {
  return `${process.pid}-${process.hrtime.bigint().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
}
