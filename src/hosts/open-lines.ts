import { hashText } from "../core/hash.ts";
import { isDeeperThan, isObject, type JsonObject, MAX_DEPTH, parseJson } from "../core/json.ts";
import { type FileCursor, readAppendedLines } from "../files/file-cursor.ts";
import { listFiles } from "../files/list-files.ts";
import type { EntriesRead, EntrySink, OpenTranscript, ReadOptions } from "./host.ts";
import { countRecord, emptyTally, type LineTally, type RecordFate, type TranscriptEntry } from "./transcript-entry.ts";

export interface ReadRecord {
  readonly fate: RecordFate;
  readonly entries: readonly TranscriptEntry[];
}

export interface RecordReader {
  /** `index` counts the records of the file, from 0. Never throws. */
  read(record: JsonObject, index: number): ReadRecord;
  /** What is held back because its end is not known yet; asked at the end of the file, and returned once. */
  rest?(): readonly TranscriptEntry[];
}

export const IGNORED: ReadRecord = { fate: "ignored", entries: [] };
export const UNKNOWN_LINE: ReadRecord = { fate: "unknown", entries: [] };
export const MALFORMED: ReadRecord = { fate: "malformed", entries: [] };

/** A transcript of one JSON object per line, for any client: each added line is decoded once, in constant memory. */
export function openLines(
  path: string,
  createReader: () => RecordReader,
  { maxFirstBytes }: ReadOptions = {},
): OpenTranscript {
  let reader = createReader();
  let tally: LineTally = emptyTally;
  let cursor: FileCursor | undefined;
  let skippable = 0;
  /** Whether the end of the file was passed on before it was known to be the end. */
  let isProvisional = false;

  const begin = (): void => {
    reader = createReader();
    tally = emptyTally;
    cursor = undefined;
    isProvisional = false;
    const [file] = maxFirstBytes === undefined ? [] : listFiles(path, () => true);
    skippable = (file?.bytes ?? 0) - (maxFirstBytes ?? 0);
  };
  const take = (line: string, sink: EntrySink): void => {
    if (line.trim() === "") return;
    const { fate, entries } = readLine(line, reader, tally.lines);
    tally = countRecord(tally, fate);
    for (const entry of entries) sink.onEntry(entry);
  };
  const readOn = (sink: EntrySink): EntriesRead => {
    const appended = readAppendedLines(
      path,
      {
        onRestart: () => {
          begin();
          sink.onRestart?.();
        },
        onBytes: (bytes, from, to) => {
          skippable -= to - from + 1;
          // The first record says who and where, so it is read however little of the rest is wanted.
          if (skippable <= 0 || tally.lines === 0) take(bytes.toString("utf8", from, to), sink);
        },
        onLine: (line) => take(line, sink),
        onOverlongLine: () => (tally = countRecord(tally, "malformed")),
      },
      cursor,
    );
    cursor = appended.cursor;
    return { tally, unfinishedBytes: appended.unfinishedBytes };
  };

  begin();
  return {
    read(sink) {
      // What was passed on without its end is passed on again with it.
      if (isProvisional && hasMore(path, cursor)) {
        begin();
        sink.onRestart?.();
      }
      const read = readOn(sink);
      const rest = reader.rest?.() ?? [];
      for (const entry of rest) sink.onEntry(entry);
      isProvisional ||= rest.length > 0;
      return read;
    },
  };
}

function hasMore(path: string, cursor: FileCursor | undefined): boolean {
  const { bytesRead, unfinishedBytes, restart } = readAppendedLines(path, { onLine() {}, onOverlongLine() {} }, cursor);
  return restart !== undefined || bytesRead > unfinishedBytes;
}

function readLine(line: string, reader: RecordReader, index: number): ReadRecord {
  const record = parseJson(line.replace(/^\uFEFF/, ""));
  return isObject(record) && !isDeeperThan(MAX_DEPTH, record) ? reader.read(record, index) : MALFORMED;
}

export interface Whole {
  readonly entries: readonly TranscriptEntry[];
  readonly tally: LineTally;
}

/** A session that is stored whole and not line by line: if it has changed, all of it is read again. */
export function openWhole(read: () => JsonObject, parse: (session: JsonObject) => Whole): OpenTranscript {
  let known = "";
  let whole: Whole = { entries: [], tally: emptyTally };
  return {
    read(sink) {
      const session = read();
      const mark = isDeeperThan(MAX_DEPTH, session) ? "" : hashText(JSON.stringify(session));
      if (mark !== known) {
        if (known !== "") sink.onRestart?.();
        known = mark;
        whole = mark === "" ? { entries: [], tally: emptyTally } : parse(session);
        for (const entry of whole.entries) sink.onEntry(entry);
      }
      return { tally: whole.tally, unfinishedBytes: 0 };
    },
  };
}
