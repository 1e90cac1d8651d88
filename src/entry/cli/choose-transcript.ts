import { accessSync, constants, existsSync, statSync } from "node:fs";
import path from "node:path";
import { errorCode } from "../../core/render-failure.ts";
import { findHoldingFile } from "../../files/list-files.ts";
import { HOSTS, listAll, listProject } from "../../hosts/catalogue.ts";
import { CliError, EXIT_NOTHING_FOUND, type Invocation, type Options, type Terminal } from "./command.ts";
import { findSession } from "./find-session.ts";

export const SESSION_OPTIONS: Options = {
  session: {
    value: "WHICH",
    help: "a session of any project: its number in the output of plimsoll now (1 is the newest), the start of its id, or words from its title",
  },
  transcript: { value: "FILE", help: "a session's .jsonl file; by default the newest session of the current project" },
};

export function chooseTranscript(invocation: Invocation, terminal: Terminal): string {
  const given = invocation.values.get("transcript");
  const session = invocation.values.get("session");
  if (session !== undefined && given !== undefined)
    throw new CliError("pass either --session or --transcript, not both");
  if (session !== undefined) return findSession(session, terminal);
  if (given !== undefined) return requireFile(given, terminal);
  const { environment, directory, hosts = HOSTS } = terminal;
  const [newest] = listProject(environment, directory, hosts);
  if (newest) return newest.path;
  const folders = nameFolders(hosts.map((host) => host.locateTranscripts(environment, directory)));
  const isElsewhere = listAll(environment, hosts).length > 0;
  const instead = isElsewhere
    ? "pass --session 1 for your newest session in any project (to list more, run: plimsoll now), or --transcript FILE"
    : "no other project has a recorded session either; pass --transcript FILE, or, to see the sample session, run: plimsoll now";
  throw new CliError(`no recorded session of ${directory} (looked in ${folders}): ${instead}`, EXIT_NOTHING_FOUND);
}

function requireFile(given: string, terminal: Terminal): string {
  const file = path.resolve(terminal.directory, given);
  const status = statSync(findHoldingFile(file), { throwIfNoEntry: false });
  if (!status) throw new CliError(`there is no file ${given}`);
  if (status.isDirectory())
    throw new CliError(`${given} is a folder: pass one session's .jsonl file, or use plimsoll stats ${given}`);
  if (!status.isFile()) throw new CliError(`${given} is not a regular file`);
  return file;
}

/** The folders that were searched in vain: those of the clients the person uses, or the usual one if they use none. */
export function nameFolders(folders: readonly string[]): string {
  const closed = folders.filter(isClosed);
  const present = folders.filter((folder) => existsSync(folder) && !closed.includes(folder));
  // If a whole home is unreadable, its first folder is enough.
  const named = present.length > 0 ? closed : closed.slice(0, 1);
  const places = [...named.map((folder) => `${folder} (no permission to read it)`), ...present];
  return (places.length > 0 ? places : folders.slice(0, 1)).join(", ");
}

/** We cannot know what is in an unreadable folder, so it must not be reported as empty. */
export function isClosed(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return false;
  } catch (error) {
    return errorCode(error) === "EACCES" || errorCode(error) === "EPERM";
  }
}
