import { writeSync } from "node:fs";
import { readInput } from "./read-input.ts";
import { drawStatusText } from "./status/draw-status-text.ts";

const STDOUT = 1;
const STDERR = 2;

/** `node statusline.cjs` with the client's status as JSON on standard input. Ends with 0 whatever happens. */
try {
  if (process.env.PLIMSOLL_OFF !== "1") writeSync(STDOUT, drawStatusText(readInput(), process.env)?.line ?? "");
} catch (error) {
  // A line that cannot be drawn is no line; the client shows what is said here only when asked.
  try {
    writeSync(STDERR, `plimsoll: ${error instanceof Error ? error.message : String(error)}\n`);
  } catch {
    // Nobody listens.
  }
}
process.exit(0);
