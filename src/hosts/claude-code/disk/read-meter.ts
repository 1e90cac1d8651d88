import { createMeter, emptyMeter, type Meter, type MeterState } from "../../../measure/meter.ts";
import type { TranscriptEntry } from "../transcript-entry.ts";
import {
  createTranscriptReader,
  emptyTally,
  type LineTally,
  type ReaderState,
  type TranscriptReader,
} from "../transcript-reader.ts";
import { type AppendedLines, type FileCursor, readAppendedLines } from "./file-cursor.ts";

/** A measured transcript, as data that can be saved: the next reading costs what was added since, whatever the file's size. */
export interface MeteredTranscript {
  readonly format: 1;
  readonly cursor: FileCursor | undefined;
  readonly reader: ReaderState;
  readonly meter: MeterState;
  /** A subagent's own file holds side-chain lines only; until a main line is seen they are taken for the conversation. */
  readonly lane: "undecided" | "main" | "side";
  readonly sessionId: string;
  readonly version: string;
  readonly cwd: string;
  readonly title: string;
}

export const emptyMeteredTranscript: MeteredTranscript = {
  format: 1,
  cursor: undefined,
  reader: { tally: emptyTally, openCalls: [], recentUuids: [] },
  meter: emptyMeter,
  lane: "undecided",
  sessionId: "",
  version: "",
  cwd: "",
  title: "",
};

export interface MeterReading extends Pick<AppendedLines, "restart" | "bytesRead" | "unfinishedBytes"> {
  readonly transcript: MeteredTranscript;
  readonly tally: LineTally;
}

export function readMeter(path: string, saved: MeteredTranscript = emptyMeteredTranscript): MeterReading {
  let now = begin(saved);
  const appended = readAppendedLines(
    path,
    {
      onRestart: () => {
        now = begin(emptyMeteredTranscript);
      },
      onLine: (line) => {
        const entry = now.reader.read(line);
        if (entry) follow(now, entry);
      },
      onOverlongLine: () => now.reader.skip(),
    },
    saved.cursor,
  );
  const { sessionId, version, cwd, title, lane } = now;
  const transcript: MeteredTranscript = {
    format: 1,
    cursor: appended.cursor,
    reader: now.reader.save(),
    meter: now.meter.state(),
    lane,
    sessionId,
    version,
    cwd,
    title,
  };
  return { ...appended, transcript, tally: transcript.reader.tally };
}

interface Progress {
  readonly reader: TranscriptReader;
  meter: Meter;
  lane: MeteredTranscript["lane"];
  sessionId: string;
  version: string;
  cwd: string;
  title: string;
}

function begin({ reader, meter, lane, sessionId, version, cwd, title }: MeteredTranscript): Progress {
  return {
    reader: createTranscriptReader({ saved: reader }),
    meter: createMeter(meter),
    lane,
    sessionId,
    version,
    cwd,
    title,
  };
}

function follow(now: Progress, entry: TranscriptEntry): void {
  now.sessionId = entry.sessionId || now.sessionId;
  now.version = entry.version || now.version;
  now.cwd = entry.cwd || now.cwd;
  now.title = entry.title || now.title;
  if (entry.uuid === "") return;
  if (now.lane === "undecided" || (now.lane === "side" && !entry.isSidechain)) {
    // Side-chain lines before the first main line were not the conversation after all.
    if (now.lane === "side") now.meter = createMeter();
    now.lane = entry.isSidechain ? "side" : "main";
  }
  if (entry.isSidechain !== (now.lane === "side")) return;
  for (const event of entry.events) now.meter.feed(event);
}
