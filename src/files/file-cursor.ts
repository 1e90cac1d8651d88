import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { parseJson } from "../core/json.ts";

/** Where a reading of an append-only file stopped, and how to recognise that it is still the same file. */
export interface FileCursor {
  readonly offset: number;
  readonly device: number;
  readonly inode: number;
  /** Hash of the first bytes, and of the last bytes before the offset. */
  readonly head: string;
  readonly tail: string;
}

export interface AppendedLines {
  readonly cursor: FileCursor;
  /** Why the reading began at the first byte; `undefined` if it continued from the cursor. */
  readonly restart: "first" | "truncated" | "replaced" | undefined;
  readonly bytesRead: number;
  /** Bytes after the last complete line: a line that is still being written. */
  readonly unfinishedBytes: number;
}

export interface LineSink {
  /** Called before the first line if the earlier reading is void: everything carried from it must be dropped. */
  onRestart?(): void;
  /** Takes a line as bytes instead of text, for callers that need little of it and need not decode. */
  onBytes?(bytes: Buffer, from: number, to: number): void;
  /** Called when the buffer that lines were given out of is refilled. */
  onRefill?(): void;
  onLine(line: string): void;
  /** A line too long to be a record; its content is not passed. */
  onOverlongLine(): void;
}

const CHUNK_BYTES = 1 << 20;
const FINGERPRINT_BYTES = 256;
/** Recorded images make lines of some megabytes. No record comes near this. */
export const MAX_LINE_BYTES: number = 64 << 20;

/** Feeds every complete line after the cursor, and a last one without a line feed if it is whole JSON: a writer that dies may leave it so. */
export function readAppendedLines(path: string, sink: LineSink, cursor?: FileCursor): AppendedLines {
  const file = openSync(path, "r");
  try {
    const status = fstatSync(file);
    const { size } = status;
    const restart = cursor === undefined ? "first" : decideRestart(file, status, cursor);
    if (restart !== undefined && restart !== "first") sink.onRestart?.();
    const start = restart === undefined && cursor ? cursor.offset : 0;
    const offset = readLines(file, { start, end: size }, sink);
    return {
      cursor: placeCursor(file, status, offset),
      restart,
      bytesRead: size - start,
      unfinishedBytes: size - offset,
    };
  } finally {
    closeSync(file);
  }
}

function decideRestart(file: number, status: Stats, cursor: FileCursor): AppendedLines["restart"] {
  if (status.size < cursor.offset) return "truncated";
  const { device, inode, head, tail } = placeCursor(file, status, cursor.offset);
  const isSameFile = device === cursor.device && inode === cursor.inode;
  return isSameFile && head === cursor.head && tail === cursor.tail ? undefined : "replaced";
}

function placeCursor(file: number, { dev, ino }: Stats, offset: number): FileCursor {
  const head = fingerprint(file, 0, Math.min(offset, FINGERPRINT_BYTES));
  const tail = fingerprint(file, Math.max(0, offset - FINGERPRINT_BYTES), offset);
  return { offset, device: dev, inode: ino, head, tail };
}

function fingerprint(file: number, from: number, to: number): string {
  const bytes = Buffer.alloc(to - from);
  readSync(file, bytes, 0, bytes.length, from);
  return createHash("sha1").update(bytes).digest("base64url");
}

/** Returns the offset after the last line fed. */
function readLines(file: number, range: { readonly start: number; readonly end: number }, sink: LineSink): number {
  const chunk = borrowChunk(range.end - range.start);
  let pieces: Buffer[] = [];
  let pieceBytes = 0;
  let isOverlong = false;
  let fedTo = range.start;
  for (let at = range.start; at < range.end; ) {
    const got = readSync(file, chunk, 0, Math.min(chunk.length, range.end - at), at);
    if (got === 0) break;
    sink.onRefill?.();
    let from = 0;
    for (let feed = chunk.indexOf(10, 0); feed >= 0 && feed < got; feed = chunk.indexOf(10, from)) {
      if (isOverlong) sink.onOverlongLine();
      else if (pieceBytes > 0) feedLine(sink, Buffer.concat([...pieces, chunk.subarray(from, feed)]));
      else feedLine(sink, chunk, from, feed);
      pieces = [];
      pieceBytes = 0;
      isOverlong = false;
      from = feed + 1;
      fedTo = at + from;
    }
    if (from < got && !isOverlong) {
      pieces.push(Buffer.from(chunk.subarray(from, got)));
      pieceBytes += got - from;
      if (pieceBytes > MAX_LINE_BYTES) {
        isOverlong = true;
        pieces = [];
        pieceBytes = 0;
      }
    }
    at += got;
  }
  returnChunk(chunk);
  const last = Buffer.concat(pieces);
  if (!isWholeJson(last.toString("utf8"))) return fedTo;
  feedLine(sink, last);
  return range.end;
}

let spareChunk: Buffer | undefined;

/** One chunk is reused for all files: allocating a megabyte for each would cost more than reading it. */
function borrowChunk(bytes: number): Buffer {
  if (bytes < CHUNK_BYTES / 8) return Buffer.allocUnsafe(Math.max(1, bytes));
  const chunk = spareChunk ?? Buffer.allocUnsafe(CHUNK_BYTES);
  spareChunk = undefined;
  return chunk;
}

function returnChunk(chunk: Buffer): void {
  if (chunk.length === CHUNK_BYTES) spareChunk = chunk;
}

function feedLine(sink: LineSink, bytes: Buffer, from = 0, to: number = bytes.length): void {
  if (sink.onBytes) sink.onBytes(bytes, from, to);
  else sink.onLine(bytes.toString("utf8", from, to));
}

function isWholeJson(decoded: string): boolean {
  const text = decoded.replace(/^\uFEFF/, "");
  return text.startsWith("{") && text.trimEnd().endsWith("}") && parseJson(text) !== undefined;
}
