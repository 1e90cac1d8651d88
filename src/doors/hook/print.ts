import { writeSync } from "node:fs";
import { errorCode } from "../../core/error-code.ts";

export const STDOUT = 1;
export const STDERR = 2;
/** A reader that takes nothing is given this long, in steps of a millisecond. */
const MAX_WAITS = 5000;

/** Plainly, like reading: `process.stdout` is slow to make. A reader that has gone is no reason to fail. */
export function print(handle: number, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  try {
    let waits = 0;
    for (let from = 0; from < bytes.length && waits < MAX_WAITS; ) {
      const written = writeSome(handle, bytes, from);
      if (written === 0) waits++;
      from += written;
    }
  } catch {
    // Nobody listens.
  }
}

function writeSome(handle: number, bytes: Buffer, from: number): number {
  try {
    return writeSync(handle, bytes, from);
  } catch (error) {
    if (errorCode(error) !== "EAGAIN") throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    return 0;
  }
}
