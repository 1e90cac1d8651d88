import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { errorCode } from "../core/error-code.ts";
import { writeAtomically } from "./write-file.ts";

/** Files that only their owner reads, in a folder that comes with a project and is therefore not trusted: no link is followed. */

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** What a door has to tell the person. */
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
  /** Why the file cannot be taken whole; its text is then empty. */
  readonly problem: string | undefined;
}

/** The bytes of a regular file, whatever its size; throws where it is anything else, since a pipe would hold us for ever. */
export function readPlainBytes(file: string): Buffer {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(handle).isFile()) throw new StoreError("link", `${file} is not a regular file`);
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** `undefined` where there is no such file. Never throws: what cannot be read is a problem to report. */
export function readPlainFile(file: string, maxBytes: number): PlainFile | undefined {
  let handle: number | undefined;
  try {
    if (lstatSync(path.dirname(file)).isSymbolicLink()) return { text: "", problem: "lies in a folder that is a link" };
    // Without blocking, because a pipe in the place of a file would hold us for ever.
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

function readBytes(handle: number, maxBytes: number): Uint8Array {
  const bytes = new Uint8Array(maxBytes);
  let length = 0;
  for (;;) {
    const read = readSync(handle, bytes, length, maxBytes - length, null);
    if (read === 0) return bytes.subarray(0, length);
    length += read;
  }
}

/** Strictly: a text with replacement characters would be written back as another one. */
function decode(bytes: Uint8Array, maxBytes: number): PlainFile {
  if (bytes.length > maxBytes) return { text: "", problem: `is larger than ${maxBytes} bytes` };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), problem: undefined };
  } catch {
    return { text: "", problem: "is not UTF-8 text" };
  }
}

/** The old text or the new one, never half of one, whenever the power fails. */
export function writePrivateFile(file: string, text: string): void {
  writeAtomically(file, text, { isDurable: true });
}

export function appendPrivateFile(file: string, text: string): void {
  // Without blocking: a pipe that nobody reads from would hold us for ever.
  const flags =
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = openSync(file, flags, FILE_MODE);
  try {
    if (!fstatSync(handle).isFile()) throw new StoreError("link", `${file} is not a regular file: move it away`);
    writeAll(handle, text);
  } finally {
    closeSync(handle);
  }
}

function writeAll(handle: number, text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let from = 0; from < bytes.length; ) from += writeSync(handle, bytes, from);
}

/** Makes the project's `.plimsoll/` with a `.gitignore` of its own: what is in it is nobody's commit. */
export function openStateFolder(directory: string): string {
  const folder = openFolder(path.join(directory, ".plimsoll"));
  chmodSync(folder, FOLDER_MODE);
  const ignore = path.join(folder, ".gitignore");
  const stat = lstatSync(ignore, { throwIfNoEntry: false });
  // A full disk leaves an empty one behind.
  if (stat === undefined || (stat.isFile() && stat.size === 0)) writePrivateFile(ignore, "*\n");
  return folder;
}

/** Makes a folder in one that is ours. A repository may come with a link in its place, and what we store must not end up where it leads. */
export function openFolder(folder: string): string {
  if (!hasMade(folder) && !lstatSync(folder).isDirectory())
    throw new StoreError("link", `${folder} is not a folder: move it away, then try again`);
  return folder;
}

/** Asked by making it: between looking and making, another process may have made it. */
export function hasMade(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: FOLDER_MODE });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}
