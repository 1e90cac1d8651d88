import { type FileCursor, readAppendedLines } from "../../hosts/claude-code/disk/file-cursor.ts";
import { emptyMeteredTranscript, type MeterReading, readMeter } from "../../hosts/claude-code/disk/read-meter.ts";
import type { RecordedSession } from "../../hosts/claude-code/disk/read-recording.ts";
import { selectMainChain } from "../../hosts/claude-code/main-chain.ts";
import type { TranscriptEntry } from "../../hosts/claude-code/transcript-entry.ts";
import { createTranscriptReader } from "../../hosts/claude-code/transcript-reader.ts";
import { createRecording } from "../../measure/recording.ts";

/** A transcript held in memory while somebody looks at it: going on costs what was added since. */
export interface FollowedSession {
  /** Reads what was added; the same object as before where nothing was. */
  read(): RecordedSession;
  /** The same transcript as the meter tells it. */
  measure(): MeterReading;
}

export function followSession(path: string): FollowedSession {
  let reader = createTranscriptReader();
  let entries: TranscriptEntry[] = [];
  let cursor: FileCursor | undefined;
  let current: RecordedSession | undefined;
  let metered = emptyMeteredTranscript;
  return {
    read() {
      const before = cursor?.offset;
      const appended = readAppendedLines(
        path,
        {
          onRestart: () => {
            reader = createTranscriptReader();
            entries = [];
            current = undefined;
          },
          onLine: (line) => {
            const entry = reader.read(line);
            if (entry) entries.push(entry);
          },
          onOverlongLine: () => reader.skip(),
        },
        cursor,
      );
      cursor = appended.cursor;
      if (current && before === cursor.offset) return current;
      const events = selectMainChain(entries).flatMap((entry) => entry.events);
      const { unfinishedBytes } = appended;
      current = { recording: createRecording(events), entries: [...entries], tally: reader.tally(), unfinishedBytes };
      return current;
    },
    measure() {
      const reading = readMeter(path, metered);
      metered = reading.transcript;
      return reading;
    },
  };
}
