import { lstatSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { SESSION_FILES } from "../policy/deeds/data-paths.ts";
import { type Deed, type DeedDetail, renderDeed } from "../policy/deeds/deed.ts";
import { appendLine } from "./read-tail.ts";

/** Enough to see what is wrong, however long it lasts. */
const MAX_FALLBACK_BYTES = 1 << 20;

interface Entry extends Pick<Deed, "door" | "event" | "client"> {
  readonly deeds: readonly DeedDetail[];
}

/** Adds what was done to the session's journal, in one write, so that sixty processes at once leave sixty lines; or else to one in the temporary folder. */
export function writeJournal(folder: string | undefined, { deeds, ...about }: Entry, atMs: number = Date.now()): void {
  const text = deeds.map((deed) => renderDeed({ atMs, ...about, ...deed })).join("");
  if (text === "") return;
  try {
    if (folder === undefined) throw new Error("there is no session folder");
    appendLine(join(folder, nameJournal(about.door)), text);
  } catch {
    writeFallback(text);
  }
}

/** Of each entry point its own, so that none can tear another's. */
export function nameJournal(door: Deed["door"]): string {
  return door === "module" ? SESSION_FILES.moduleDeeds : SESSION_FILES.hookDeeds;
}

/** The temporary folder is shared, so only a folder of our own that is no link is written into. `plimsoll doctor` looks here too, so that failed writes are noticed. */
function writeFallback(text: string): void {
  try {
    const folder = join(process.env.TMPDIR || "/tmp", `plimsoll-${process.getuid?.() ?? 0}`);
    const file = join(folder, SESSION_FILES.hookDeeds);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const status = lstatSync(folder);
    if (!status.isDirectory() || (process.getuid !== undefined && status.uid !== process.getuid())) return;
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < MAX_FALLBACK_BYTES) appendLine(file, text);
  } catch {
    // Nothing can be written anywhere; the event was handled, and that is what counts.
  }
}
