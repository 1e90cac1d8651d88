import { md5 } from "../../core/md5.ts";

/** Where the summaries and the state of the checks are, below the person's own folder, forward slashes. */
export const SUMMARY_FOLDER = ".claude/data/compressed_context";
export const STATE_FOLDER = ".claude/data/context_queue";

const NAME_DIGITS = 12;

/** A summary's file: the first 12 hexadecimal digits of the MD5 of "session:task", as the pipeline's own files are named. */
export function coldTaskPath(home: string, sessionId: string, taskId: string): string {
  return `${trimSlash(home)}/${SUMMARY_FOLDER}/${md5(`${sessionId}:${taskId}`).slice(0, NAME_DIGITS)}.json`;
}

export function coldStatePath(home: string, sessionId: string): string {
  return `${trimSlash(home)}/${STATE_FOLDER}/${safeName(sessionId)}_state.json`;
}

/** The pipeline's paths begin at the home; a configuration folder of another name does not move them. */
export function locateColdHome(configFolder: string, home = ""): string {
  const [, parent] = trimSlash(configFolder).match(/^(.*)[\\/]\.claude$/s) ?? [];
  return parent ?? (home || trimSlash(configFolder).replace(/[\\/][^\\/]*$/, ""));
}

/** Ids are uuids; anything else must not lead out of the folder. */
function safeName(sessionId: string): string {
  return sessionId.replace(/[^\w.-]/g, "_").replace(/^\.+/, "_");
}

function trimSlash(home: string): string {
  return home.replace(/[\\/]+$/, "");
}
