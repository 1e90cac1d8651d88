import { lstatSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { SESSION_FILES } from "../policy/actions/data-paths.ts";
import { type ActionDetail, type OwnAction, renderAction } from "../policy/actions/own-action.ts";
import { appendLine } from "./read-tail.ts";

/** Enough to see what is wrong, however long it lasts. */
const MAX_FALLBACK_BYTES = 1 << 20;

interface Entry extends Pick<OwnAction, "door" | "event" | "client"> {
  readonly actions: readonly ActionDetail[];
}

/** Adds what was done to the session's journal, in one write, so that sixty processes at once leave sixty lines; or else to one in the temporary folder. */
export function writeJournal(
  folder: string | undefined,
  { actions, ...about }: Entry,
  atMs: number = Date.now(),
): void {
  const text = actions.map((action) => renderAction({ atMs, ...about, ...action })).join("");
  if (text === "") return;
  if (folder === undefined) return void writeFallback(text);
  try {
    appendLine(join(folder, nameJournal(about.door)), text);
  } catch {
    writeFallback(text);
  }
}

/** Of each entry point its own, so that none can tear another's. */
export function nameJournal(entryPoint: OwnAction["door"]): string {
  return entryPoint === "module" ? SESSION_FILES.moduleActions : SESSION_FILES.hookActions;
}

/** Of each home its own: in a build machine or a container, many share one temporary folder and one user. */
export function nameFallback(home = ""): string {
  return `${home.replace(/\W/g, "-")}-${SESSION_FILES.hookActions}`;
}

/** The temporary folder is shared, so only a folder of our own that is no link is written into. `plimsoll doctor` looks here too, so that failed writes are noticed. */
function writeFallback(text: string): void {
  try {
    const uid = process.getuid?.();
    const folder = join(process.env.TMPDIR || "/tmp", `plimsoll-${uid ?? 0}`);
    const file = join(folder, nameFallback(process.env.HOME));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const status = lstatSync(folder);
    if (!status.isDirectory() || (uid !== undefined && status.uid !== uid)) return;
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < MAX_FALLBACK_BYTES) appendLine(file, text);
  } catch {
    // Nothing can be written anywhere; the event was handled, and that is what counts.
  }
}
