import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Enough for the first record of any client to say whose it is. */
const HEAD_BYTES = 4096;

/** How a regular file begins; empty where there is none or it cannot be read. A pipe in its place would be waited for without end. */
export function readHead(file: string, maxBytes: number = HEAD_BYTES): string {
  let handle: number | undefined;
  try {
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if (!fstatSync(handle).isFile()) return "";
    const bytes = Buffer.alloc(maxBytes);
    return bytes.toString("utf8", 0, readSync(handle, bytes, 0, maxBytes, 0)).replace(/^\uFEFF/, "");
  } catch {
    return "";
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
