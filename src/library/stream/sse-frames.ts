import { decodeUtf8, encodeUtf8 } from "../../core/utf8.ts";

/** One frame of a stream of server-sent events, up to and with the blank line that ends it. */
export interface SseFrame {
  /** Its bytes as they came. All frames in a row, with the flushed one, are the stream. */
  readonly raw: Uint8Array;
  /** Empty where the frame names none; clients then take it for `message`. */
  readonly event: string;
  /** Its lines of data; `undefined` without any, and then clients are told nothing. */
  readonly data: string | undefined;
  readonly id: string | undefined;
  readonly retryMs: number | undefined;
  readonly comments: readonly string[];
  /** The stream ended before the blank line, or the frame is a piece of one above the limit: only `raw` counts. */
  readonly isPartial: boolean;
}

export interface SseCounts {
  readonly frames: number;
  readonly partialFrames: number;
  /** Lines that are neither comments nor fields we know, with values that can be used. */
  readonly unknownLines: number;
  /** Lines that are not UTF-8; they are read with replacement characters. */
  readonly invalidLines: number;
}

export interface SseParser {
  /** The frames that became complete with these bytes, wherever a chunk ends: also within a character or a CRLF. */
  feed(bytes: Uint8Array): readonly SseFrame[];
  /** What is left without a blank line after it; the parser is as new afterwards, its counts stay. */
  flush(): readonly SseFrame[];
  counts(): SseCounts;
}

export interface SseParserOptions {
  /** A frame above this is passed on in pieces, unread, so that no server can fill the memory. */
  readonly maxFrameBytes?: number;
}

const MAX_FRAME_BYTES: number = 16 * 1024 * 1024;

/** A frame that a bare CR ends comes with the byte after it: only that byte tells whether it was half of a CRLF. */
export function createSseParser({ maxFrameBytes = MAX_FRAME_BYTES }: SseParserOptions = {}): SseParser {
  if (!(Number.isInteger(maxFrameBytes) && maxFrameBytes >= 1))
    throw new TypeError(`maxFrameBytes takes a whole number of at least 1, not ${maxFrameBytes}`);
  let cutter = createFrameCutter(maxFrameBytes);
  let isFirst = true;
  let counts: SseCounts = { frames: 0, partialFrames: 0, unknownLines: 0, invalidLines: 0 };

  const toFrame = (raw: Uint8Array, isPartial: boolean): SseFrame => {
    if (isPartial) {
      isFirst = false;
      counts = { ...counts, partialFrames: counts.partialFrames + 1 };
      return { raw, event: "", data: undefined, id: undefined, retryMs: undefined, comments: [], isPartial };
    }
    const { unknownLines, invalidLines, ...fields } = parseSseFields(raw, { isFirst });
    isFirst = false;
    counts = {
      ...counts,
      frames: counts.frames + 1,
      unknownLines: counts.unknownLines + unknownLines,
      invalidLines: counts.invalidLines + invalidLines,
    };
    return { raw, ...fields, isPartial };
  };

  return {
    feed: (bytes) => cutter.feed(bytes).map(({ raw, isPartial }) => toFrame(raw, isPartial)),
    flush: () => {
      const { raw, isPartial } = cutter.rest();
      cutter = createFrameCutter(maxFrameBytes);
      const frames = raw.length === 0 ? [] : [toFrame(raw, isPartial)];
      isFirst = true;
      return frames;
    },
    counts: () => counts,
  };
}

const BOM = "\uFEFF";
const LOSSY = new TextDecoder("utf-8", { ignoreBOM: true });

/** What the lines of one whole frame say, as the HTML standard has it: the last event, id and retry count, data lines are joined. */
function parseSseFields(raw: Uint8Array, { isFirst }: { readonly isFirst: boolean }) {
  const { text: whole, invalidLines } = decode(raw);
  // A byte order mark counts at the beginning of the stream alone.
  const text = isFirst && whole.startsWith(BOM) ? whole.slice(BOM.length) : whole;
  const data: string[] = [];
  const comments: string[] = [];
  let event = "";
  let id: string | undefined;
  let retryMs: number | undefined;
  let unknownLines = 0;
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line === "") continue;
    const { name, value } = parseLine(line);
    if (name === "") comments.push(value);
    else if (name === "data") data.push(value);
    else if (name === "event") event = value;
    else if (name === "id" && !value.includes("\0")) id = value;
    else if (name === "retry" && /^\d{1,15}$/.test(value)) retryMs = Number(value);
    else unknownLines++;
  }
  return {
    event,
    data: data.length === 0 ? undefined : data.join("\n"),
    id,
    retryMs,
    comments,
    unknownLines,
    invalidLines,
  };
}

/** A comment is a line without a name. One blank after the colon is no part of the value. */
function parseLine(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(":");
  if (colon < 0) return { name: line, value: "" };
  return { name: line.slice(0, colon), value: line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1) };
}

function decode(raw: Uint8Array): { readonly text: string; readonly invalidLines: number } {
  const lossy = LOSSY.decode(raw);
  // Without a replacement character nothing was replaced; with one, a strict look tells whether it was there before.
  const strict = lossy.includes("\uFFFD") ? decodeUtf8(raw) : lossy;
  const text = strict ?? lossy;
  const invalidLines =
    strict === undefined ? lossy.split(/\r\n|\r|\n/).filter((line) => line.includes("\uFFFD")).length : 0;
  return { text, invalidLines };
}

/** What to say in a frame; what is left out is not said. */
export interface SseMessage {
  readonly event?: string;
  /** Line breaks of any kind arrive as LF: the format has no other. */
  readonly data?: string;
  readonly id?: string;
  readonly retryMs?: number;
  readonly comments?: readonly string[];
}

const LINE_BREAK = /\r\n|\r|\n/;

/** The bytes of one frame. A name with a line break would begin a line of its own: that is refused. */
export function renderSseFrame({ event, data, id, retryMs, comments = [] }: SseMessage): Uint8Array {
  if (event !== undefined && LINE_BREAK.test(event))
    throw new TypeError("event takes one line: leave the line breaks out, or put the text into data");
  if (id !== undefined && /[\r\n\0]/.test(id)) throw new TypeError("id takes one line without NUL: encode it first");
  if (retryMs !== undefined && !(Number.isInteger(retryMs) && retryMs >= 0))
    throw new TypeError(`retryMs takes a whole number of at least 0, not ${retryMs}`);
  const lines = [
    ...comments.flatMap((comment) => comment.split(LINE_BREAK).map((line) => `: ${line}`)),
    ...(event === undefined || event === "" ? [] : [`event: ${event}`]),
    ...(data === undefined ? [] : data.split(LINE_BREAK).map((line) => `data: ${line}`)),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retryMs === undefined ? [] : [`retry: ${retryMs}`]),
  ];
  return encodeUtf8(`${lines.map((line) => `${line}\n`).join("")}\n`);
}

/** Bytes that belong together, copied off the chunks they came in. */
interface CutFrame {
  readonly raw: Uint8Array;
  readonly isPartial: boolean;
}

interface FrameCutter {
  feed(bytes: Uint8Array): readonly CutFrame[];
  rest(): CutFrame;
}

const LF = 10;
const CR = 13;
const BOM_BYTES = [0xef, 0xbb, 0xbf] as const;

/** Finds the blank lines that end frames. Looks at each byte once and keeps no bytes but those of the frame it is in. */
function createFrameCutter(maxFrameBytes: number): FrameCutter {
  let pieces: Uint8Array[] = [];
  let size = 0;
  /** Of the stream, as long as a byte order mark can still be there. */
  let bomBytes = 0;
  let isAtLineStart = true;
  let isAfterCr = false;
  let isAfterBlank = false;
  let isOversized = false;

  /** Whether a byte ends a frame: after itself, or, where a bare CR already had, before. */
  const stepByte = (byte: number): "after" | "before" | undefined => {
    if (isAfterCr) {
      isAfterCr = false;
      if (byte === LF) return isAfterBlank ? "after" : undefined;
      if (isAfterBlank) return "before";
    }
    if (byte === CR) {
      isAfterCr = true;
      isAfterBlank = isAtLineStart;
      isAtLineStart = true;
    } else if (byte === LF) {
      bomBytes = BOM_BYTES.length;
      if (isAtLineStart) return "after";
      isAtLineStart = true;
    } else if (bomBytes < BOM_BYTES.length && byte === BOM_BYTES[bomBytes]) {
      // A mark is no part of the first line; half a mark is.
      bomBytes++;
      isAtLineStart = bomBytes === BOM_BYTES.length;
      return undefined;
    } else isAtLineStart = false;
    bomBytes = BOM_BYTES.length;
    return undefined;
  };

  const take = (isPartial: boolean): CutFrame => {
    const raw = joinBytes(pieces, size);
    pieces = [];
    size = 0;
    return { raw, isPartial: isPartial || isOversized };
  };

  const keep = (piece: Uint8Array): void => {
    if (piece.length === 0) return;
    pieces.push(piece.slice());
    size += piece.length;
  };

  const feed = (bytes: Uint8Array): readonly CutFrame[] => {
    const frames: CutFrame[] = [];
    let from = 0;
    const cutAt = (end: number, isPartial: boolean): void => {
      keep(bytes.subarray(from, end));
      from = end;
      if (size > 0) frames.push(take(isPartial));
      isOversized = isPartial;
    };
    const endFrame = (end: number): void => {
      cutAt(end, false);
      isAtLineStart = true;
      isAfterBlank = false;
    };
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index] ?? 0;
      let ended = stepByte(byte);
      if (ended === "before") {
        endFrame(index);
        ended = stepByte(byte);
      }
      if (ended === "after") endFrame(index + 1);
      else if (size + index + 1 - from >= maxFrameBytes) cutAt(index + 1, true);
    }
    keep(bytes.subarray(from));
    return frames;
  };

  return {
    feed,
    // A blank line that a bare CR ended is complete when nothing follows it any more.
    rest: () => take(!(isAfterCr && isAfterBlank)),
  };
}

function joinBytes(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const joined = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
