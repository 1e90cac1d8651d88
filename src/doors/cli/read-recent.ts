import { renderFailure } from "../../core/render-failure.ts";
import { listAll, listTranscripts, readMeasures, readSession } from "../../hosts/catalogue.ts";
import type { Reading, RecordedSession } from "../../hosts/follow-transcript.ts";
import { wasAsked } from "../../recorded/list-own-sessions.ts";
import type { ScanAttempt } from "../../recorded/try-scan.ts";
import type { Terminal } from "./command.ts";
import { locateSample } from "./locate-sample.ts";

const OTHERS_SHOWN = 4;

export interface ReadFile {
  readonly file: string;
  readonly session: RecordedSession;
}

export interface Recent {
  /** `undefined` only where the package has lost its sample. */
  readonly newest: ReadFile | undefined;
  readonly others: readonly Reading[];
  readonly isSample: boolean;
  /** The accounts of every file that was read for this, by its path: nobody needs to read it again for them. */
  readonly attempts: ReadonlyMap<string, ScanAttempt>;
}

/**
 * The person's own newest sessions in which something was asked, each read once and no more of them than shown; where there are
 * none, the sample that the package carries. They are counted as `listOwnSessions` does.
 */
export function readRecent(terminal: Terminal): Recent {
  const attempts = new Map<string, ScanAttempt>();
  const others: Reading[] = [];
  let newest: ReadFile | undefined;
  for (const { path, isSubagent, bytes } of listAll(terminal.environment, terminal.hosts)) {
    if (others.length >= OTHERS_SHOWN) break;
    if (isSubagent || bytes === 0) continue;
    try {
      const session = newest ? undefined : readSession(path, terminal.hosts);
      const reading = session ?? readMeasures(path, terminal.hosts);
      attempts.set(path, { scan: toScan(reading) });
      if (!wasAsked(reading.accounts, () => reading.host)) continue;
      if (session) newest = { file: path, session };
      else others.push(reading);
    } catch (error) {
      attempts.set(path, { why: renderFailure(error) });
    }
  }
  if (newest) return { newest, others, isSample: false, attempts };
  const [sample] = listTranscripts(locateSample());
  const read = sample && { file: sample.path, session: readSession(sample.path) };
  return { newest: read, others, isSample: true, attempts };
}

function toScan({ accounts, tally }: Reading) {
  return { ...accounts, lines: { read: tally.lines, notAboutUsage: 0, malformed: tally.malformed } };
}
