import { decodeUtf8, encodeUtf8 } from "../../core/utf8.ts";

/** One frame of a server-sent event stream, including the blank line that ends it. */
export interface SseFrame {
  /** Its bytes as received. All frames in order, including the flushed one, are the stream. */
  readonly raw: Uint8Array;
  /** Empty if the frame names none; clients then use `message`. */
  readonly event: string;
  /** Its data lines, joined; `undefined` without any, and then clients dispatch no event. */
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
  /** Lines that are neither comments nor known fields with usable values. */
  readonly unknownLines: number;
  /** Lines that are not UTF-8; they are read with replacement characters. */
  readonly invalidLines: number;
}

export interface SseParser {
  /** The frames that became complete with these bytes. A chunk may end anywhere, even within a character or a CRLF. */
  feed(bytes: Uint8Array): readonly SseFrame[];
  /** The rest without a blank line after it. Resets the parser; its counts stay. */
  flush(): readonly SseFrame[];
  counts(): SseCounts;
}

export interface SseParserOptions {
  /** A larger frame is passed on in pieces, unparsed, so that no server can fill the memory. */
  readonly maxFrameBytes?: number;
}

const MAX_FRAME_BYTES: number = 16 * 1024 * 1024;

/** A frame that ends with a bare CR comes with the byte after it, because only that byte shows whether it was half of a CRLF. */
export function createSseParser({ maxFrameBytes = MAX_FRAME_BYTES }: SseParserOptions = {}): SseParser {
  if (!(Number.isInteger(maxFrameBytes) && maxFrameBytes >= 1))
    throw new TypeError(`maxFrameBytes takes a whole number of at least 1, not ${maxFrameBytes}`);
  let cutter = createFrameCutter(maxFrameBytes);
  let isFirst = true;
  const counts = { frames: 0, partialFrames: 0, unknownLines: 0, invalidLines: 0 };

  const toFrame = ({ raw, isPartial }: CutFrame): SseFrame => {
    const { unknownLines, invalidLines, ...fields } = parseSseFields(isPartial ? NOTHING : raw, { isFirst });
    isFirst = false;
    counts[isPartial ? "partialFrames" : "frames"]++;
    counts.unknownLines += unknownLines;
    counts.invalidLines += invalidLines;
    return { raw, ...fields, isPartial };
  };

  return {
    feed: (bytes) => cutter.feed(bytes).map(toFrame),
    flush: () => {
      const rest = cutter.rest();
      cutter = createFrameCutter(maxFrameBytes);
      const frames = rest.raw.length === 0 ? [] : [toFrame(rest)];
      isFirst = true;
      return frames;
    },
    counts: () => ({ ...counts }),
  };
}

const NOTHING: Uint8Array = new Uint8Array();
const LINE_BREAK = /\r\n|\r|\n/;
const REPLACED = "\uFFFD";
const BOM = "\uFEFF";
const LOSSY = new TextDecoder("utf-8", { ignoreBOM: true });

/** Parses the lines of one whole frame as the HTML standard says: the last event, id and retry count, data lines are joined. */
function parseSseFields(raw: Uint8Array, { isFirst }: { readonly isFirst: boolean }) {
  const lossy = LOSSY.decode(raw);
  // Without a replacement character nothing was replaced; with one, strict decoding shows whether it was there before.
  const strict = lossy.includes(REPLACED) ? decodeUtf8(raw) : lossy;
  const whole = strict ?? lossy;
  // A byte order mark counts only at the beginning of the stream.
  const text = isFirst && whole.startsWith(BOM) ? whole.slice(BOM.length) : whole;
  const data: string[] = [];
  const comments: string[] = [];
  let event = "";
  let id: string | undefined;
  let retryMs: number | undefined;
  let [unknownLines, invalidLines] = [0, 0];
  for (const line of text.split(LINE_BREAK)) {
    if (line === "") continue;
    if (strict === undefined && line.includes(REPLACED)) invalidLines++;
    const { name, value } = parseLine(line);
    if (name === "") comments.push(value);
    else if (name === "data") data.push(value);
    else if (name === "event") event = value;
    else if (name === "id" && !value.includes("\0")) id = value;
    else if (name === "retry" && /^\d{1,15}$/.test(value)) retryMs = Number(value);
    else unknownLines++;
  }
  const joined = data.length === 0 ? undefined : data.join("\n");
  return { event, data: joined, id, retryMs, comments, unknownLines, invalidLines };
}

/** A comment is a line without a name. One blank after the colon is not part of the value. */
function parseLine(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(":");
  if (colon < 0) return { name: line, value: "" };
  return { name: line.slice(0, colon), value: line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1) };
}

/** The fields of a frame to render; absent ones are left out. */
export interface SseMessage {
  readonly event?: string;
  /** Line breaks of any kind arrive as LF, because the format has no other. */
  readonly data?: string;
  readonly id?: string;
  readonly retryMs?: number;
  readonly comments?: readonly string[];
}

/** The bytes of one frame. A name with a line break would begin a line of its own, so it throws. */
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

/** Bytes that belong together, copied from the chunks they came in. */
interface CutFrame {
  readonly raw: Uint8Array;
  readonly isPartial: boolean;
}

const LF = 10;
const CR = 13;
const BOM_BYTES = [0xef, 0xbb, 0xbf] as const;

/** Finds the blank lines that end frames. Reads each byte once, and keeps only the bytes of the current frame. */
function createFrameCutter(maxFrameBytes: number) {
  let pieces: Uint8Array[] = [];
  let size = 0;
  /** Bytes of a byte order mark seen so far, while the stream may still begin with one. */
  let bomBytes = 0;
  let isAtLineStart = true;
  let isAfterCr = false;
  let isAfterBlank = false;
  let isOversized = false;

  /** Whether a byte ends a frame: after itself or, if a bare CR already had, before. */
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
      // A full mark is not part of the first line; half a mark is.
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
    rest: (): CutFrame => take(!(isAfterCr && isAfterBlank)),
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
