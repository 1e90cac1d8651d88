import { statSync } from "node:fs";
import type { SessionEvent } from "../../../core/event.ts";
import { createMeter, type MeterState } from "../../../measure/meter.ts";
import { createSession, type SessionState } from "../../../session/session.ts";
import { createTrail, type TrailState } from "../../../survive/record/trail.ts";
import type { TranscriptEntry } from "../transcript-entry.ts";
import { createTranscriptReader, type ReaderState } from "../transcript-reader.ts";
import { claudeCodeVocabulary } from "../vocabulary.ts";
import { type FileCursor, readAppendedLines } from "./file-cursor.ts";

/** How far a session was followed, as plain data. */
export interface FollowedState {
  readonly cursor: FileCursor;
  readonly reader: ReaderState;
  readonly session: SessionState;
  readonly trail: TrailState;
  readonly meter: MeterState;
  /** The client's version, as the transcript tells it; empty where it does not. */
  readonly version: string;
}

/** Of a long transcript that is met for the first time only the end is understood: an event has seconds, not minutes. */
const MAX_FIRST_BYTES = 32 << 20;

/**
 * What a session has come to, read from its transcript up to the end it has now, from where it was followed before. A saved
 * state that can no longer be gone on from, left by another version for instance, costs one whole reading.
 */
export function followSession(
  file: string,
  saved?: FollowedState,
): { readonly state: FollowedState; readonly size: number } {
  if (saved === undefined) return read(file, undefined);
  try {
    return read(file, saved);
  } catch {
    return read(file, undefined);
  }
}

function read(
  file: string,
  saved: FollowedState | undefined,
): { readonly state: FollowedState; readonly size: number } {
  const { size } = statSync(file);
  let progress = begin(saved);
  let skippable = saved === undefined ? Math.max(0, size - MAX_FIRST_BYTES) : 0;
  const { cursor } = readAppendedLines(
    file,
    {
      onRestart: () => {
        progress = begin(undefined);
        skippable = Math.max(0, size - MAX_FIRST_BYTES);
      },
      onBytes: (bytes, from, to) => {
        if (skippable <= 0) follow(progress, bytes.toString("utf8", from, to));
        else skippable -= to - from + 1;
      },
      onLine: (line) => follow(progress, line),
      onOverlongLine: () => progress.reader.skip(),
    },
    saved?.cursor,
  );
  const { reader, session, trail, meter, version } = progress;
  const state: FollowedState = {
    cursor,
    reader: reader.save(),
    session: session.state(),
    trail: trail.state(),
    meter: meter.state(),
    version,
  };
  return { state, size };
}

interface Progress {
  readonly reader: ReturnType<typeof createTranscriptReader>;
  readonly session: ReturnType<typeof createSession>;
  readonly trail: ReturnType<typeof createTrail>;
  readonly meter: ReturnType<typeof createMeter>;
  version: string;
}

function begin(saved: FollowedState | undefined): Progress {
  return {
    reader: createTranscriptReader(saved ? { saved: saved.reader } : {}),
    session: createSession(claudeCodeVocabulary, saved?.session),
    trail: createTrail(claudeCodeVocabulary, saved?.trail),
    meter: createMeter(saved?.meter),
    version: saved?.version ?? "",
  };
}

function follow(progress: Progress, line: string): void {
  const entry = progress.reader.read(line);
  if (!entry) return;
  progress.version = entry.version || progress.version;
  if (isMain(entry)) for (const event of entry.events) feed(progress, event);
}

/** A session's own transcript: what subagents say in it is not its conversation. */
function isMain({ uuid, isSidechain }: TranscriptEntry): boolean {
  return uuid !== "" && !isSidechain;
}

function feed({ session, trail, meter }: Progress, event: SessionEvent): void {
  session.feed(event);
  trail.feed(event);
  meter.feed(event);
}
