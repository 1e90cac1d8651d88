import { clipLine } from "../../core/clip-text.ts";
import { listAll, nameSession } from "../../hosts/catalogue.ts";
import { listOwnSessions, type OwnSession, shortenId } from "../../recorded/list-own-sessions.ts";
import { passOverSubagents } from "../../recorded/own-data.ts";
import { CliError, EXIT_NOTHING_FOUND, type Terminal } from "./command.ts";

const MOST_NAMED = 5;
const LONGEST_NUMBER = 4;

/** Finds a session by its number in `plimsoll now`, the start of its id, or words of its title. Ids come first, because they open no file. */
export function findSession(asked: string, terminal: Terminal): string {
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
  const recorded = sessions.filter(
    ({ scan }) => scan.sessionId.toLowerCase().startsWith(words) || scan.title.toLowerCase().includes(words),
  );
  if (!isNumber && recorded.length > 0)
    return requireOne(
      asked,
      recorded.map(({ file, scan }) => ({ path: file.path, title: scan.title })),
      terminal,
    );
  const why = isNumber
    ? `there is no session ${asked}: ${sessions.length} are recorded, and plimsoll stats --by session lists them`
    : `no session has "${asked}" at the start of its id or in its title: plimsoll stats --by session lists all sessions`;
  throw new CliError(why, EXIT_NOTHING_FOUND);
}

function requireOne(
  asked: string,
  found: readonly { readonly path: string; readonly title?: string }[],
  { hosts }: Terminal,
): string {
  const [first, ...others] = found;
  if (first && others.length === 0) return first.path;
  const ids = found.map(({ path }) => nameSession(path, hosts));
  const named = found
    .slice(0, MOST_NAMED)
    .map(
      ({ path, title }) => `${shortenAmong(nameSession(path, hosts), ids)}${title ? ` (${clipLine(title, 40)})` : ""}`,
    );
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
