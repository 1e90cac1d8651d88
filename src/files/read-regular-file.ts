import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { isObject, type JsonObject, parseJson } from "../core/json.ts";

/**
 * The text of a regular file of at most so many bytes; `undefined` where there is none. Files of a project come with it: a pipe,
 * or a link to a device, in the place of one would be read for ever.
 */
export function readRegularFile(file: string, maxBytes: number): string | undefined {
  // Asked first, because most are absent, and in a hook of milliseconds an error is felt.
  if (!existsSync(file)) return undefined;
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const status = fstatSync(handle);
    return status.isFile() && status.size <= maxBytes ? readFileSync(handle, "utf8") : undefined;
  } finally {
    closeSync(handle);
  }
}

/** Enough for the first record of any client to say whose it is. */
const HEAD_BYTES = 4096;

/** How a regular file begins; empty where there is none or it cannot be read. A pipe in its place would be waited for without end. */
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

/** The object that a file holds; `undefined` where there is none, or none that can be read. */
export function readObject(file: string, maxBytes: number = MAX_OBJECT_BYTES): JsonObject | undefined {
  try {
    const text = readRegularFile(file, maxBytes);
    const value = text === undefined ? undefined : parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
