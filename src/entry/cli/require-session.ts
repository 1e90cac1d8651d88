import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { clipLine } from "../../core/clip-text.ts";
import { renderCount } from "../../core/render-count.ts";
import { errorCode } from "../../core/render-failure.ts";
import { findHoldingFile } from "../../files/list-files.ts";
import { StoreError } from "../../files/private-files.ts";
import { HOSTS, type Hosts, listAll, listProject, nameSession, readSession } from "../../hosts/catalogue.ts";
import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import type { LineTally } from "../../hosts/transcript-entry.ts";
import { followHappened, type ReadHappened } from "../../recorded/follow-happened.ts";
import { listOwnSessions, type OwnSession, shortenId } from "../../recorded/list-own-sessions.ts";
import { passOverSubagents } from "../../recorded/own-data.ts";
import { CliError, type Invocation, type Options, type Terminal } from "./command.ts";

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
  throw CliError.foundNothing(`no recorded session of ${directory} (looked in ${folders}): ${instead}`);
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

const MOST_NAMED = 5;
const LONGEST_NUMBER = 4;

/** Finds a session by its number in `plimsoll now`, the start of its id, or words of its title. Ids come first, because they open no file. */
function findSession(asked: string, terminal: Terminal): string {
  const words = asked.trim().toLowerCase();
  if (words === "")
    throw new CliError("--session is empty: pass a number, the beginning of an id, or words from a title");
  const isNumber = /^[1-9]\d*$/.test(words) && words.length <= LONGEST_NUMBER;
  if (!isNumber) {
    const byId = listAll(terminal.environment, terminal.hosts).filter(({ path }) =>
      nameSession(path, terminal.hosts).toLowerCase().startsWith(words),
    );
    const exact = byId.find(({ path }) => nameSession(path, terminal.hosts).toLowerCase() === words);
    if (exact) return exact.path;
    // A subagent's file may begin with the id of its parent session; such an id means the parent.
    const named = passOverSubagents(byId, (file) => file);
    if (named.length > 0) return requireOne(asked, named, terminal);
  }
  const sessions: OwnSession[] = [];
  for (const session of listOwnSessions(terminal)) {
    if (isNumber && session.number === Number(words)) return session.file.path;
    sessions.push(session);
  }
  // The id in the file may not be in its name, and plimsoll stats shows that one.
  const isMeant = ({ scan }: OwnSession): boolean =>
    scan.sessionId.toLowerCase().startsWith(words) || scan.title.toLowerCase().includes(words);
  const recorded = sessions.filter(isMeant).map(({ file, scan }) => ({ path: file.path, title: scan.title }));
  if (!isNumber && recorded.length > 0) return requireOne(asked, recorded, terminal);
  const why = isNumber
    ? `there is no session ${asked}: ${sessions.length} are recorded, and plimsoll stats --by session lists them`
    : `no session has "${asked}" at the start of its id or in its title: plimsoll stats --by session lists all sessions`;
  throw CliError.foundNothing(why);
}

function requireOne(
  asked: string,
  found: readonly { readonly path: string; readonly title?: string }[],
  { hosts }: Terminal,
): string {
  const [first, ...others] = found;
  if (first && others.length === 0) return first.path;
  const ids = found.map(({ path }) => nameSession(path, hosts));
  const named = found.slice(0, MOST_NAMED).map(({ path, title }) => {
    return `${shortenAmong(nameSession(path, hosts), ids)}${title ? ` (${clipLine(title, 40)})` : ""}`;
  });
  const more = found.length > named.length ? `, and ${found.length - named.length} more` : "";
  throw new CliError(
    `"${asked}" matches ${found.length} sessions: ${named.join(", ")}${more}: pass more of one id or title`,
  );
}

/** As few characters of a UUID as no other of these ids begins with, but at least eight: ids that begin with a time share those. */
export function shortenAmong(id: string, ids: readonly string[]): string {
  const others = ids.filter((other) => other !== id);
  let short = shortenId(id);
  while (short.length < id.length && others.some((other) => other.startsWith(short)))
    short = id.slice(0, short.length + 1);
  return short;
}

/** Refuses a file in which no line was understood, because any number from it would be wrong. */
export function requireRecordedSession(file: string, tally: LineTally, unfinishedBytes: number): void {
  if (tally.parsed > 0) return;
  if (tally.lines === 0 && unfinishedBytes === 0)
    throw new CliError(`${file} is empty: nothing has been recorded in it yet`);
  if (tally.lines === 0)
    throw new CliError(
      `${file} contains no complete line: it is not a session's .jsonl file, or its first line is still being written`,
    );
  if (tally.ignored > tally.unknown)
    throw CliError.foundNothing(`${file} contains no message yet: the session has only just begun`);
  throw new CliError(
    `${file} is not a recorded session: none of its ${renderCount(tally.lines, "line")} could be understood (${tally.malformed} malformed)`,
  );
}

export function requireRecorded(
  file: string,
  hosts?: Hosts,
  read: (file: string, hosts?: Hosts) => RecordedSession = readSession,
): RecordedSession {
  const session = read(file, hosts);
  requireRecordedSession(file, session.tally, session.unfinishedBytes);
  return session;
}

export function renderSkipped({ malformed, unknown }: LineTally, unfinishedBytes: number): readonly string[] {
  return [
    ...(malformed > 0 ? [`${renderCount(malformed, "malformed line")} skipped`] : []),
    ...(unknown > 0 ? [`${renderCount(unknown, "line")} of a type that this version of Plimsoll does not know`] : []),
    ...(unfinishedBytes > 0 ? [`${renderCount(unfinishedBytes, "byte")} of an unfinished last line not counted`] : []),
  ];
}

export const PROJECT_OPTION: Options = {
  project: { value: "DIR", help: "the project's folder; by default the current one" },
};

/** The command's project folder with links resolved, because the client names it so. */
export function requireProject({ values }: Invocation, terminal: Terminal): string {
  return realpathSync(requireFolder(values.get("project"), terminal));
}

/** The current folder if none is given. */
export function requireFolder(given: string | undefined, { directory }: Terminal): string {
  const folder = path.resolve(directory, given ?? ".");
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new CliError(`there is no folder ${given ?? folder}`);
}

/** A store's refusal is for the person to fix, so its sentence is shown to them. */
export function explainProblem<T>(store: () => T): T {
  try {
    return store();
  } catch (error) {
    throw error instanceof StoreError ? new CliError(error.message) : error;
  }
}

export function readHappened(file: string): ReadHappened {
  return followHappened(requireRecorded(file));
}
