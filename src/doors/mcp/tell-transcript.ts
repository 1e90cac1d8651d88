import type { SessionEvent } from "../../core/event.ts";
import { readAppendedLines } from "../../hosts/claude-code/disk/file-cursor.ts";
import { createTranscriptReader } from "../../hosts/claude-code/transcript-reader.ts";

/** Tells the events of the main conversation one after another, in constant memory, compacted ones included. */
export function tellTranscript(file: string, tell: (event: SessionEvent) => void): void {
  const reader = createTranscriptReader();
  readAppendedLines(file, {
    onLine: (line) => {
      const entry = reader.read(line);
      if (entry && entry.uuid !== "" && !entry.isSidechain) for (const event of entry.events) tell(event);
    },
    onOverlongLine: () => reader.skip(),
  });
}
