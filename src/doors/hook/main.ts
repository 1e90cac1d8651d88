import { writeSync } from "node:fs";
import { toOneLine } from "../../core/clip-text.ts";
import { errorCode } from "../../core/error-code.ts";
import type { DeedDetail } from "../../policy/deeds/deed.ts";
import { runEvent } from "./frame.ts";
import { writeJournal } from "./journal.ts";
import { readInput } from "./read-input.ts";

const STDOUT = 1;
const STDERR = 2;
/** A reader that takes nothing is given this long, in steps of a millisecond. */
const MAX_WAITS = 5000;

/** `node hook.cjs EVENT` with the event's JSON on standard input. Ends with 0 whatever happens. */
async function main(): Promise<void> {
  const event = process.argv[2] ?? "";
  if (process.env.PLIMSOLL_OFF === "1") return;
  const { text, folder, client, deeds, isSilent } = await runEvent(event, readQuietly(), process.env);
  print(STDOUT, text);
  for (const deed of deeds) if (deed.kind === "failed") print(STDERR, `plimsoll: ${toOneLine(deed.why)}\n`);
  // The status line is drawn after every message: its runs would drown the others.
  if (isSilent || (event === "statusline" && deeds.length === 0)) return;
  const ran: DeedDetail = { kind: "ran", ms: Math.round(process.uptime() * 1000) };
  writeJournal(folder, { event, client, atMs: Date.now(), deeds: [...deeds, ran] });
}

function readQuietly(): string {
  try {
    return readInput();
  } catch {
    // No standard input is no event, which the frame says.
    return "";
  }
}

/** Plainly, like reading: `process.stdout` is slow to make. A reader that has gone is no reason to fail. */
function print(handle: number, text: string): void {
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

// Everything that can fail is caught where it fails; what nobody thought of must not fail the event either. And leaving at
// once saves taking down what the system takes down anyway.
main().then(leave, leave);

function leave(): void {
  process.exit(0);
}
