import { statSync } from "node:fs";
import path from "node:path";
import { findHoldingFile } from "../../files/list-files.ts";
import { HOSTS, listAll, listProject } from "../../hosts/catalogue.ts";
import { CliError, EXIT_NOTHING_FOUND, type Invocation, type Option, type Terminal } from "./command.ts";
import { findSession } from "./find-session.ts";
import { nameFolders } from "./name-folders.ts";

const TRANSCRIPT_OPTION: Option = {
  name: "transcript",
  value: "FILE",
  help: "a session's .jsonl file; by default the newest session of the current project",
};

const SESSION_OPTION: Option = {
  name: "session",
  value: "WHICH",
  help: "a session of any project: its number in plimsoll now (1 is the newest), the start of its id, or words from its title",
};

/** How a command is told which session it is about. */
export const SESSION_OPTIONS: readonly [Option, Option] = [SESSION_OPTION, TRANSCRIPT_OPTION];

/** The file a command is about. */
export function chooseTranscript(invocation: Invocation, terminal: Terminal): string {
  const given = invocation.values.get("transcript");
  const session = invocation.values.get("session");
  if (session !== undefined && given !== undefined)
    throw new CliError("--session and --transcript both name a session: pass one of them");
  if (session !== undefined) return findSession(session, terminal);
  if (given !== undefined) return requireFile(given, terminal);
  const { environment, directory, hosts = HOSTS } = terminal;
  const [newest] = listProject(environment, directory, hosts);
  if (!newest) {
    const folders = nameFolders(hosts.map((host) => host.locateTranscripts(environment, directory)));
    const isElsewhere = listAll(environment, hosts).length > 0;
    const instead = isElsewhere
      ? "pass --session 1 for your newest of any project (plimsoll now lists more), or --transcript FILE"
      : "nothing is recorded of any other project either; plimsoll now shows the sample, --transcript FILE any file";
    throw new CliError(`no recorded session of ${directory} (looked in ${folders}): ${instead}`, EXIT_NOTHING_FOUND);
  }
  return newest.path;
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
