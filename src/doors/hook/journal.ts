import { lstatSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { SESSION_FILES } from "../../policy/deeds/data-paths.ts";
import { type Deed, type DeedDetail, renderDeed } from "../../policy/deeds/deed.ts";
import { appendLine } from "./session-files.ts";

/** Enough to tell what is wrong, however long it stays so. */
const MAX_FALLBACK_BYTES = 1 << 20;

export interface Entry {
  /** The command hooks, where it does not say. */
  readonly door?: Deed["door"];
  readonly event: string;
  readonly client: string;
  readonly atMs: number;
  readonly deeds: readonly DeedDetail[];
}

/** What was done, as lines of the session's journal; where that cannot be written, in the temporary folder. */
export function writeJournal(folder: string | undefined, entry: Entry): void {
  const text = entry.deeds
    .map((deed) =>
      renderDeed({ atMs: entry.atMs, door: entry.door ?? "hook", event: entry.event, client: entry.client, ...deed }),
    )
    .join("");
  if (text === "") return;
  try {
    if (folder === undefined) throw new Error("there is no session folder");
    appendLine(join(folder, SESSION_FILES.hookDeeds), text);
  } catch {
    writeFallback(text);
  }
}

/** `plimsoll doctor` looks here too: that nothing could be written must not go unsaid. */
function locateFallback(temporary: string): string {
  return join(temporary, `plimsoll-${process.getuid?.() ?? 0}`, SESSION_FILES.hookDeeds);
}

/** The temporary folder is everybody's: only a folder of our own, and no link, is written into. */
function writeFallback(text: string): void {
  try {
    const file = locateFallback(process.env.TMPDIR || "/tmp");
    const folder = dirname(file);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const status = lstatSync(folder);
    if (!status.isDirectory() || (process.getuid !== undefined && status.uid !== process.getuid())) return;
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < MAX_FALLBACK_BYTES) appendLine(file, text);
  } catch {
    // Nothing can be written anywhere: the event was handled, and that is what counts.
  }
}
