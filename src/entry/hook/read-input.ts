import { readSync } from "node:fs";
import { errorCode } from "../../core/render-failure.ts";

const CHUNK_BYTES = 1 << 16;
const STDIN = 0;
/** A writer that opens the pipe and sends nothing gets this long, in steps of 1 ms. */
const MAX_WAITS = 2000;

/** Reads all of standard input synchronously: `process.stdin` would load streams and sockets, which takes longer than most events. */
export function readInput(): string {
  const chunks: Buffer[] = [];
  for (let waits = 0; waits < MAX_WAITS; ) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    try {
      const got = readSync(STDIN, chunk, 0, CHUNK_BYTES, null);
      if (got === 0) break;
      chunks.push(chunk.subarray(0, got));
    } catch (error) {
      const code = errorCode(error);
      if (code === "EOF") break;
      if (code !== "EAGAIN") throw error;
      waits++;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
  return Buffer.concat(chunks).toString("utf8");
}
