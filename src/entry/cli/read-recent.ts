import path from "node:path";
import { renderFailure } from "../../core/render-failure.ts";
import { hostOf, listAll, listTranscripts, locateAll, readSession } from "../../hosts/catalogue.ts";
import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import type { TranscriptFile } from "../../hosts/host.ts";
import { openUsageIndex, type UsageIndex } from "../../recorded/file-index.ts";
import { readHistory } from "../../recorded/history.ts";
import { joinScans, type ScanAttempt, type ScannedFile } from "../../recorded/join-scans.ts";
import { rankByLastRequest, wasAsked } from "../../recorded/list-own-sessions.ts";
import { passOverSubagents } from "../../recorded/own-data.ts";
import { locateSample, scanFiles } from "./collect-usage.ts";
import type { Invocation, Terminal } from "./command.ts";
import { wrapText } from "./help.ts";
import { chooseCalendar, parsePeriod } from "./parse-period.ts";
import { nameFolders } from "./require-session.ts";

export interface RecentFile {
  readonly file: TranscriptFile;
  /** Reads it when asked for the first time: often what was kept of it is enough. */
  read(): RecordedSession;
}

export interface Recent {
  /** `undefined` only if the package has lost its sample. */
  readonly newest: RecentFile | undefined;
  readonly others: readonly ScannedFile[];
  readonly isSample: boolean;
  readonly scanned: readonly ScannedFile[];
}

/**
 * The person's newest sessions with a request, or the package's sample if there are none, counted as `listOwnSessions` does. The
 * file that the index or the file time says is newest is read first, and only once; not at all if the index knows it.
 */
export async function readRecent(terminal: Terminal): Promise<Recent> {
  const files = listAll(terminal.environment, terminal.hosts).filter(({ bytes }) => bytes > 0);
  const index = openUsageIndex(terminal);
  const own = passOverSubagents(files, (file) => file);
  const ranked = rankByLastRequest(own, (file) => index.find(file));
  const early = readNewestFile(ranked, index, terminal);
  const scans = await scanFiles(files, terminal, early.attempts, index);
  const { scanned } = joinScans(files, scans, readHistory(terminal.environment));
  const known = new Map(scanned.map((one) => [one.file, one]));
  const isAsked = (file: TranscriptFile): boolean => {
    const scan = known.get(file);
    return scan !== undefined && wasAsked(scan, () => hostOf(file.path, terminal.hosts));
  };
  const asked = passOverSubagents(files.filter(isAsked), (file) => file);
  const [first, ...before] = rankByLastRequest(asked, (file) => known.get(file));
  if (first) {
    const session = early.newest?.file === first.path ? early.newest.session : undefined;
    const others = before.flatMap((file) => known.get(file) ?? []);
    return { newest: recentFile(first, terminal, session), others, isSample: false, scanned };
  }
  const [sample] = listTranscripts(locateSample());
  return { newest: sample && recentFile(sample, terminal), others: [], isSample: true, scanned };
}

function recentFile(file: TranscriptFile, { hosts }: Terminal, early?: RecordedSession): RecentFile {
  let session = early;
  return {
    file,
    read() {
      session ??= readSession(file.path, hosts);
      return session;
    },
  };
}

/** Also returns the accounts of every file that was read for this, by path, so that they need not be read again. */
function readNewestFile(files: readonly TranscriptFile[], index: UsageIndex, terminal: Terminal) {
  const attempts = new Map<string, ScanAttempt>();
  for (const file of files) {
    const { path } = file;
    const known = index.find(file);
    if (known && wasAsked(known, () => hostOf(path, terminal.hosts))) break;
    if (known) continue;
    try {
      const session = readSession(path, terminal.hosts);
      const { accounts, tally } = session;
      const lines = { read: tally.lines, notAboutUsage: 0, malformed: tally.malformed };
      attempts.set(path, { scan: { ...accounts, lines } });
      if (wasAsked(accounts, () => session.host)) return { newest: { file: path, session }, attempts };
    } catch (error) {
      attempts.set(path, { why: renderFailure(error) });
    }
  }
  return { newest: undefined, attempts };
}

/** Said first wherever the sample stands for the person's own sessions. */
export function noteSample({ environment, hosts }: Terminal, command: string): string {
  return `There is no session of yours in ${nameFolders(locateAll(environment, hosts))} yet, so this is the sample session that comes with Plimsoll. Work with your agent as usual, then run ${command} again to see your own sessions.`;
}

/** Where a person without a session asks about all of them, the command with the sample's folder, once it has been said; a program is told that there are none. */
export function orSample(invocation: Invocation, terminal: Terminal, command: string): Invocation {
  const { positionals, flags } = invocation;
  const { environment, hosts, nowMs, columns } = terminal;
  const isAboutAll = positionals.length === 0 && !flags.has("json") && !flags.has("csv");
  if (!isAboutAll || parsePeriod(invocation, nowMs(), chooseCalendar(invocation, terminal))) return invocation;
  const sample = locateSample();
  if (sample === "" || listAll(environment, hosts).length > 0 || readHistory(environment).files.length > 0)
    return invocation;
  terminal.print(`${wrapText(noteSample(terminal, command), columns, "").join("\n")}\n`);
  return { ...invocation, positionals: [path.dirname(sample)] };
}
