import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { isObject, type JsonObject, parseJson } from "../core/json.ts";
import { quietly } from "../core/quietly.ts";

/** `undefined` if there is no regular file of that size: a project can have a pipe or a device in its place, and reading it never ends. */
export function readRegularFile(file: string, maxBytes: number): string | undefined {
  // Checked first, because most are absent, and an exception costs noticeable time in a hook of milliseconds.
  if (!existsSync(file)) return undefined;
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const status = fstatSync(handle);
    return status.isFile() && status.size <= maxBytes ? readFileSync(handle, "utf8") : undefined;
  } finally {
    closeSync(handle);
  }
}

/** Empty for a file that is missing, too large or cannot be read. */
export function readQuietly(file: string, maxBytes: number): string {
  return quietly(() => readRegularFile(file, maxBytes), undefined) ?? "";
}

/** Enough for the first record of any client to identify it. */
const HEAD_BYTES = 4096;

/** The beginning of a regular file; empty if there is none or it cannot be read. Reading a pipe in its place would never end. */
export function readHead(file: string): string {
  let handle: number | undefined;
  try {
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if (!fstatSync(handle).isFile()) return "";
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.toString("utf8", 0, readSync(handle, bytes, 0, HEAD_BYTES, 0)).replace(/^\uFEFF/, "");
  } catch {
    return "";
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** What we write is a few megabytes at most. */
const MAX_OBJECT_BYTES = 64 << 20;

export function readObject(file: string, maxBytes: number = MAX_OBJECT_BYTES): JsonObject | undefined {
  const value = parseJson(readQuietly(file, maxBytes));
  return isObject(value) ? value : undefined;
}
