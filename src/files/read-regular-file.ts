import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from "node:fs";

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
