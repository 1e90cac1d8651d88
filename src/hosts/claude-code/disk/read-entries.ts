import { statSync } from "node:fs";
import type { EntriesRead, EntrySink, OpenTranscript, ReadOptions, Topic } from "../../host.ts";
import { createTranscriptReader, type ReaderState } from "../transcript-reader.ts";
import { type AppendedLines, type FileCursor, readAppendedLines } from "./file-cursor.ts";

/** Where a reading stopped, as data that can be saved. */
export interface ReadPlace {
  readonly cursor: FileCursor;
  readonly reader: ReaderState;
}

export interface ReadSince extends ReadOptions {
  readonly since?: ReadPlace | undefined;
}

export interface ReadUpTo extends EntriesRead, Omit<AppendedLines, "cursor"> {
  readonly place: ReadPlace;
}

/** The one place where a transcript's lines are decoded whole: each that was added once, in constant memory. */
export function readEntries(path: string, sink: EntrySink, { since, about, maxFirstBytes }: ReadSince = {}): ReadUpTo {
  let reader = createTranscriptReader(since ? { saved: since.reader } : {});
  const measureBeginning = (): number => (maxFirstBytes === undefined ? 0 : statSync(path).size - maxFirstBytes);
  let skippable = since ? 0 : measureBeginning();
  const mayMatter = about === undefined ? undefined : createFilter(about);
  const read = (line: string): void => {
    const entry = reader.read(line);
    if (entry) sink.onEntry(entry);
  };
  const { cursor, ...appended } = readAppendedLines(
    path,
    {
      onRestart: () => {
        reader = createTranscriptReader();
        skippable = measureBeginning();
        sink.onRestart?.();
      },
      onBytes: (bytes, from, to) => {
        if (skippable > 0) skippable -= to - from + 1;
        else if (!mayMatter || mayMatter(bytes.subarray(from, to))) read(bytes.toString("utf8", from, to));
      },
      onLine: read,
      onOverlongLine: () => reader.skip(),
    },
    since?.cursor,
  );
  const state = reader.save();
  return { ...appended, place: { cursor, reader: state }, tally: state.tally };
}

/** Told by its bytes: inside a JSON string the quotes of these needles would be escaped. */
const NEEDLES: Readonly<Record<Topic, readonly Buffer[]>> = {
  summaries: [Buffer.from('"isCompactSummary":true'), Buffer.from('"type":"assistant"')],
  foreignCalls: [Buffer.from('"name":"mcp__'), Buffer.from('"subagent_type":"')],
};

function createFilter(about: Topic): (line: Buffer) => boolean {
  const needles = NEEDLES[about];
  return (line) => needles.some((needle) => line.includes(needle));
}

export function openTranscript(path: string, options: ReadOptions = {}): OpenTranscript {
  let since: ReadPlace | undefined;
  return {
    read(sink) {
      const read = readEntries(path, sink, { ...options, since });
      since = read.place;
      return read;
    },
  };
}
