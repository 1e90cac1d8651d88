import { createRecording, type Recording } from "../../../measure/recording.ts";
import { selectMainChain } from "../main-chain.ts";
import type { TranscriptEntry } from "../transcript-entry.ts";
import { createTranscriptReader, type LineTally } from "../transcript-reader.ts";
import { readAppendedLines } from "./file-cursor.ts";

export interface RecordedSession {
  readonly recording: Recording;
  readonly entries: readonly TranscriptEntry[];
  readonly tally: LineTally;
  /** Bytes of a last line that was cut off or is still being written. */
  readonly unfinishedBytes: number;
}

/** A whole transcript at once: for looking closely. Who only measures reads incrementally. */
export function readRecording(path: string): RecordedSession {
  const reader = createTranscriptReader();
  const entries: TranscriptEntry[] = [];
  const { unfinishedBytes } = readAppendedLines(path, {
    onLine: (line) => {
      const entry = reader.read(line);
      if (entry) entries.push(entry);
    },
    onOverlongLine: () => reader.skip(),
  });
  const events = selectMainChain(entries).flatMap((entry) => entry.events);
  return { recording: createRecording(events), entries, tally: reader.tally(), unfinishedBytes };
}
