import { renderFailure } from "../../core/render-failure.ts";
import { hostOf, listAll, listTranscripts, readMeasures, readSession } from "../../hosts/catalogue.ts";
import type { RecordedSession, TranscriptReading } from "../../hosts/follow-transcript.ts";
import type { TranscriptFile } from "../../hosts/host.ts";
import { joinScans, type ScannedFile } from "../../recorded/join-scans.ts";
import { rankByLastRequest } from "../../recorded/last-request.ts";
import { wasAsked } from "../../recorded/list-own-sessions.ts";
import { passOverSubagents } from "../../recorded/pass-over-subagents.ts";
import type { ScanAttempt } from "../../recorded/try-scan.ts";
import type { Terminal } from "./command.ts";
import { locateSample } from "./locate-sample.ts";
import { openIndexOf, scanFiles } from "./scan-files.ts";

export interface ReadFile {
  readonly file: string;
  readonly session: RecordedSession;
}

export interface Recent {
  /** `undefined` only where the package has lost its sample. */
  readonly newest: ReadFile | undefined;
  readonly others: readonly TranscriptReading[];
  readonly isSample: boolean;
  /** The accounts of everything that is recorded. */
  readonly scanned: readonly ScannedFile[];
}

/**
 * The person's own newest sessions in which something was asked; where there are none, the sample that the package carries. They are
 * counted as `listOwnSessions` does. What the index, or the time of a file, says is newest is read first, and once.
 *
 * @param mostOthers how many are told beside the newest
 */
export async function readRecent(terminal: Terminal, mostOthers: number): Promise<Recent> {
  const files = listAll(terminal.environment, terminal.hosts).filter(({ bytes }) => bytes > 0);
  const index = openIndexOf(files, terminal);
  const early = readNewestFiles(
    rankByLastRequest(
      passOverSubagents(files, (file) => file),
      (file) => index?.find(file),
    ),
    mostOthers,
    terminal,
  );
  const { scanned } = joinScans(files, await scanFiles(files, terminal, early.attempts, index));
  const scans = new Map(scanned.map((one) => [one.file, one]));
  const asked = passOverSubagents(
    files.filter((file) => {
      const scan = scans.get(file);
      return scan !== undefined && wasAsked(scan, () => hostOf(file.path, terminal.hosts));
    }),
    (file) => file,
  );
  const [first, ...others] = rankByLastRequest(asked, (file) => scans.get(file)).slice(0, 1 + mostOthers);
  if (first) {
    const session = early.newest?.file === first.path ? early.newest.session : readSession(first.path, terminal.hosts);
    const read = ({ path }: TranscriptFile): TranscriptReading =>
      early.others.get(path) ??
      (early.newest?.file === path ? early.newest.session : readMeasures(path, terminal.hosts));
    return { newest: { file: first.path, session }, others: others.map(read), isSample: false, scanned };
  }
  const [sample] = listTranscripts(locateSample());
  const read = sample && { file: sample.path, session: readSession(sample.path) };
  return { newest: read, others: [], isSample: true, scanned };
}

interface EarlyRead {
  readonly newest: ReadFile | undefined;
  readonly others: ReadonlyMap<string, TranscriptReading>;
  /** The accounts of every file that was read for this, by its path: nobody needs to read it again for them. */
  readonly attempts: ReadonlyMap<string, ScanAttempt>;
}

function readNewestFiles(files: readonly TranscriptFile[], mostOthers: number, terminal: Terminal): EarlyRead {
  const attempts = new Map<string, ScanAttempt>();
  const others = new Map<string, TranscriptReading>();
  let newest: ReadFile | undefined;
  for (const { path } of files) {
    if (newest && others.size >= mostOthers) break;
    try {
      const session = newest ? undefined : readSession(path, terminal.hosts);
      const reading = session ?? readMeasures(path, terminal.hosts);
      attempts.set(path, { scan: toScan(reading) });
      if (!wasAsked(reading.accounts, () => reading.host)) continue;
      if (session) newest = { file: path, session };
      else others.set(path, reading);
    } catch (error) {
      attempts.set(path, { why: renderFailure(error) });
    }
  }
  return { newest, others, attempts };
}

function toScan({ accounts, tally }: TranscriptReading) {
  return { ...accounts, lines: { read: tally.lines, notAboutUsage: 0, malformed: tally.malformed } };
}
