import { lstatSync, realpathSync } from "node:fs";
import { isAbsolute, sep } from "node:path";
import { locateTranscripts } from "./clients/claude-code/client.ts";
import type { HookContext } from "./hook.ts";

/**
 * A file that the event names, where it may be read: a regular file of this person below the folder of the client's own
 * transcripts. An event comes from outside, and a path in it must not make us read, and later quote, whatever it points to.
 */
export function locateTrusted(named: string, context: Pick<HookContext, "configFolder" | "env">): string | undefined {
  if (named === "" || !isAbsolute(named)) return undefined;
  try {
    const home = locateTranscripts(context);
    const file = realpathSync.native(named);
    // The configuration folder itself may be reached through a link; that one is the person's own.
    if (!file.startsWith(home + sep) && !file.startsWith(realpathSync.native(home) + sep)) return undefined;
    const status = lstatSync(file);
    const isOurs = process.getuid === undefined || status.uid === process.getuid();
    return status.isFile() && isOurs ? file : undefined;
  } catch {
    // Not there, or not to be looked at: the same to whoever wants to read it.
    return undefined;
  }
}
