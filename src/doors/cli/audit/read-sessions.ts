import path from "node:path";
import {
  listTranscripts,
  locateClientHome,
  nameProjectFolder,
  type TranscriptFile,
} from "../../../hosts/claude-code/disk/projects.ts";
import { type RecordedSession, readRecording } from "../../../hosts/claude-code/disk/read-recording.ts";
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
export function listSessions(project: string, terminal: Terminal): readonly TranscriptFile[] {
  const folder = path.join(locateClientHome(terminal.environment), "projects", nameProjectFolder(project));
  return listTranscripts(folder).filter(({ isSubagent }) => !isSubagent);
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
      read.push({ id: path.basename(file.path, ".jsonl"), file, session: readRecording(file.path) });
    } catch {
      // Gone or not to be read since it was listed.
    }
  }
  return read;
}
