import { lstatSync, realpathSync } from "node:fs";
import { isAbsolute, sep } from "node:path";
import { locateTranscripts } from "./clients/claude-code/client.ts";
import type { HookContext } from "./hook.ts";

/** A regular file of this person below the client's transcripts folder: a path in an event must not make us read, and later quote, any other file. */
export function locateTrusted(
  context: Pick<HookContext, "configFolder" | "env" | "transcript">,
  named: string = context.transcript,
): string | undefined {
  if (named === "" || !isAbsolute(named)) return undefined;
  try {
    const home = locateTranscripts(context);
    const file = realpathSync.native(named);
    // The configuration folder may be reached through a link, which is the person's own.
    if (!file.startsWith(home + sep) && !file.startsWith(realpathSync.native(home) + sep)) return undefined;
    const status = lstatSync(file);
    const isOurs = process.getuid === undefined || status.uid === process.getuid();
    return status.isFile() && isOurs ? file : undefined;
  } catch {
    // Missing or not allowed: the same to the caller.
    return undefined;
  }
}
