import { writeSync } from "node:fs";
import { readInput } from "./read-input.ts";
import { drawStatusText } from "./status/draw-status.ts";

const STDOUT = 1;
const STDERR = 2;

/** `node statusline.cjs` with the client's status as JSON on standard input. Always exits with 0. */
try {
  if (process.env.PLIMSOLL_OFF !== "1") writeSync(STDOUT, drawStatusText(readInput(), process.env)?.line ?? "");
} catch (error) {
  // If the line cannot be drawn, there is none; the client shows stderr only on request.
  try {
    writeSync(STDERR, `plimsoll: ${error instanceof Error ? error.message : String(error)}\n`);
  } catch {
    // The reader has gone.
  }
}
process.exit(0);
