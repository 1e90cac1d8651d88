import { statSync } from "node:fs";
import { type AppendedLines, type FileCursor, readAppendedLines } from "../../../files/file-cursor.ts";
import type { EntriesRead, EntrySink, OpenTranscript, ReadOptions, Topic } from "../../host.ts";
import type { TranscriptEntry } from "../../transcript-entry.ts";
import { createTranscriptReader, type ReaderState } from "../transcript-reader.ts";

export interface ReadPlace {
  readonly cursor: FileCursor;
  readonly reader: ReaderState;
}

interface ReadSince extends ReadOptions {
  readonly since?: ReadPlace | undefined;
}

export interface ReadUpTo extends EntriesRead, Omit<AppendedLines, "cursor"> {
  readonly place: ReadPlace;
}

/** The only place where a transcript's lines are decoded whole: each added line once, in constant memory. */
function readEntries(path: string, sink: EntrySink, { since, about, maxFirstBytes }: ReadSince = {}): ReadUpTo {
  let reader = createTranscriptReader(since?.reader);
  const measureBeginning = (): number => (maxFirstBytes === undefined ? 0 : statSync(path).size - maxFirstBytes);
  let skippable = since ? 0 : measureBeginning();
  const select = about === undefined ? undefined : SELECTORS[about]();
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
        else if (!select) read(bytes.toString("utf8", from, to));
        else for (const line of select(bytes.subarray(from, to))) read(line.toString("utf8"));
      },
      onLine: read,
      onOverlongLine: () => reader.skip(),
    },
    since?.cursor,
  );
  const state = reader.save();
  return { ...appended, place: { cursor, reader: state }, tally: state.tally };
}

/**
 * Takes line by line, and returns those that have to be decoded. Inside a JSON string the needles'
 * quotes would be escaped, and no needle spans a colon, around which a writer may leave blanks.
 */
type Selector = (line: Buffer) => readonly Buffer[];

const SUMMARY = Buffer.from('"isCompactSummary"');
const ANSWER = Buffer.from('"assistant"');
const MADE_UP = Buffer.from('"<synthetic>"');
const FOREIGN_CALLS = ['"mcp__', '"subagent_type"', '"Skill"', '"skill_listing"', '"agent_listing_delta"'].map((text) =>
  Buffer.from(text),
);

const SELECTORS: Readonly<Record<Topic, () => Selector>> = {
  /** Summaries are few: only the answer before each is needed, for the name of its model. */
  summaries() {
    let answer: Buffer | undefined;
    return (line) => {
      if (line.includes(SUMMARY)) {
        const lines = answer ? [answer, line] : [line];
        answer = undefined;
        return lines;
      }
      // Copied, because the buffer is refilled.
      if (line.includes(ANSWER) && !line.includes(MADE_UP)) answer = Buffer.from(line);
      return [];
    };
  },
  foreignCalls: () => (line) => (FOREIGN_CALLS.some((needle) => line.includes(needle)) ? [line] : []),
};

/** Feeds a follower what was added since; if the file is another one, a new follower all of it. */
export function feedEntries<Follower extends { feed(entry: TranscriptEntry): void }, Saved extends ReadPlace>(
  path: string,
  create: (saved?: Saved) => Follower,
  since: Saved | undefined,
  options: ReadOptions = {},
): ReadUpTo & { readonly follower: Follower } {
  let follower = create(since);
  const onRestart = (): void => {
    follower = create();
  };
  const read = readEntries(path, { onEntry: (entry) => follower.feed(entry), onRestart }, { ...options, since });
  return { ...read, follower };
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
