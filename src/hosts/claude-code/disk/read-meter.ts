import type { FileCursor } from "../../../files/file-cursor.ts";
import { createMeasurer, followSession, type MeasuredSession, type RecordedSession } from "../../follow-transcript.ts";
import { claudeCode } from "../host.ts";
import type { ReaderState } from "../transcript-reader.ts";
import { feedEntries, type ReadUpTo } from "./read-entries.ts";

/** A measured transcript, as data that can be saved: the next reading costs only what was added since, whatever the file's size. */
export interface MeteredTranscript extends MeasuredSession {
  readonly format: 1;
  readonly cursor: FileCursor;
  readonly reader: ReaderState;
}

export interface MeterReading extends Omit<ReadUpTo, "place"> {
  readonly transcript: MeteredTranscript;
}

export function readMeter(path: string, saved?: MeteredTranscript): MeterReading {
  const { place, follower, ...read } = feedEntries(path, createMeasurer, saved);
  return { ...read, transcript: { format: 1, ...place, ...follower.state() } };
}

/** Reads a whole transcript at once, with its contents. `readMeter` measures incrementally. */
export function readRecording(path: string): RecordedSession {
  return followSession(claudeCode, path).read();
}
