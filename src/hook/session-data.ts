import { statSync } from "node:fs";
import path from "node:path";
import type { SessionEvent } from "../core/event.ts";
import type { JsonObject } from "../core/json.ts";
import { type FileCursor, readAppendedLines } from "../hosts/claude-code/disk/file-cursor.ts";
import { isObject } from "../hosts/claude-code/json-fields.ts";
import type { TranscriptEntry } from "../hosts/claude-code/transcript-entry.ts";
import { createTranscriptReader, type ReaderState } from "../hosts/claude-code/transcript-reader.ts";
import { claudeCodeVocabulary } from "../hosts/claude-code/vocabulary.ts";
import { createMeter, type MeterState } from "../measure/meter.ts";
import type { Happened } from "../session/compaction/continuation.ts";
import { createTrail, type TrailState } from "../session/compaction/trail.ts";
import { SESSION_FILES } from "../session/journal/data-paths.ts";
import { createSession, type SessionState } from "../session/session.ts";
import type { HookContext, HookInput } from "./hook.ts";
import { readObject, writeWhole } from "./session-files.ts";
import { locateTrusted } from "./trusted-file.ts";

/** What a session has come to, read up to the end that its transcript had when it was opened. */
export interface SessionData {
  happened(): Happened;
  meter(): MeterState;
  /** Bytes of the transcript that were there to read. */
  readonly transcriptSize: number;
  /** The client's version, as the transcript tells it; empty where it does not. */
  readonly version: string;
  /** Remembers all of it with the place in the transcript, so that the next to open reads only what is new. */
  save(): void;
}

/** What `state.json` holds. */
interface SavedData {
  readonly format: 1;
  readonly cursor: FileCursor;
  readonly reader: ReaderState;
  readonly session: SessionState;
  readonly trail: TrailState;
  readonly meter: MeterState;
  readonly version: string;
}

/** Of a long transcript that is met for the first time only the end is understood: an event has seconds, not minutes. */
const MAX_FIRST_BYTES = 32 << 20;
/** What is saved grows by the call; nobody asks for older ones one by one. */
const MAX_SAVED_CALLS = 4000;

/** `undefined` where there is no transcript that may be read. */
export function openSessionData(input: HookInput, context: HookContext): SessionData | undefined {
  const file = locateTrusted(input.transcript, context);
  if (file === undefined) return undefined;
  const stateFile = context.folder === undefined ? undefined : path.join(context.folder, SESSION_FILES.state);
  const saved = stateFile === undefined ? undefined : parseSaved(readObject(stateFile));
  const { progress, cursor, size } = readFrom(file, saved);
  const happened = (): Happened => ({ state: progress.session.state(), trail: progress.trail.state() });
  return {
    happened,
    meter: () => progress.meter.state(),
    transcriptSize: size,
    version: progress.version,
    save() {
      if (stateFile === undefined) return;
      const { state, trail } = happened();
      const data: SavedData = {
        format: 1,
        cursor,
        reader: progress.reader.save(),
        session: state,
        trail: { ...trail, calls: trail.calls.slice(-MAX_SAVED_CALLS) },
        meter: progress.meter.state(),
        version: progress.version,
      };
      writeWhole(stateFile, JSON.stringify(data));
    },
  };
}

interface Reading {
  readonly progress: Progress;
  readonly cursor: FileCursor;
  readonly size: number;
}

/** A saved state that can no longer be gone on from, left by another version for instance, costs one whole reading. */
function readFrom(file: string, saved: SavedData | undefined): Reading {
  if (saved === undefined) return read(file, undefined);
  try {
    return read(file, saved);
  } catch {
    return read(file, undefined);
  }
}

function read(file: string, saved: SavedData | undefined): Reading {
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
  return { progress, cursor, size };
}

interface Progress {
  readonly reader: ReturnType<typeof createTranscriptReader>;
  readonly session: ReturnType<typeof createSession>;
  readonly trail: ReturnType<typeof createTrail>;
  readonly meter: ReturnType<typeof createMeter>;
  version: string;
}

function begin(saved: SavedData | undefined): Progress {
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

/** Our own file in a private folder: its parts are looked at once, their insides by whoever goes on from them. */
function parseSaved(value: JsonObject | undefined): SavedData | undefined {
  return isSaved(value) ? value : undefined;
}

function isSaved(value: unknown): value is SavedData {
  return (
    isObject(value) &&
    value.format === 1 &&
    typeof value.version === "string" &&
    [value.cursor, value.reader, value.session, value.trail, value.meter].every(isObject)
  );
}
