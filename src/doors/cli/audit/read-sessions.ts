import { listProject, nameSession, readSession } from "../../../hosts/catalogue.ts";
import type { RecordedSession } from "../../../hosts/follow-transcript.ts";
import type { TranscriptFile } from "../../../hosts/host.ts";
import type { Terminal } from "../command.ts";

export interface ReadSession {
  readonly id: string;
  readonly file: TranscriptFile;
  readonly session: RecordedSession;
}

/** Enough to know a project by, and no more than a person waits for. */
const MOST_SESSIONS = 10;
const MOST_BYTES = 64e6;

/** The client's records of a project, newest first, without its subagents'. */
export function listAuditedSessions(project: string, terminal: Terminal): readonly TranscriptFile[] {
  return listProject(terminal.environment, project, terminal.hosts);
}

/** The newest of them in full; a file that cannot be read is passed over, and counted by its absence. */
export function readSessions(files: readonly TranscriptFile[]): readonly ReadSession[] {
  const read: ReadSession[] = [];
  let bytes = 0;
  for (const file of files) {
    if (read.length >= MOST_SESSIONS) break;
    if (bytes + file.bytes > MOST_BYTES) continue;
    bytes += file.bytes;
    try {
      read.push({ id: nameSession(file.path), file, session: readSession(file.path) });
    } catch {
      // Gone or not to be read since it was listed.
    }
  }
  return read;
}
