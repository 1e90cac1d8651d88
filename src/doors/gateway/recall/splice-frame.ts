import { renderSseFrame } from "../../../library/stream/render-sse-frame.ts";
import type { SseFrame } from "../../../library/stream/sse-frames.ts";
import type { Span } from "../request/json-spans.ts";

const NAME = Buffer.from("data:");
const LF = 0x0a;
const CR = 0x0d;
const BLANK = 0x20;

/** The JSON of a frame as it is written; the lines of one that has several, joined as a client joins them. */
export function dataOf(frame: SseFrame): Buffer {
  const line = findDataLine(frame);
  return line ? Buffer.from(frame.raw).subarray(line.start, line.end) : Buffer.from(frame.data ?? "");
}

/** A frame with other JSON in it: its name, its other lines and their ends stay as they came. */
export function spliceFrame(frame: SseFrame, data: Buffer): Uint8Array {
  const line = findDataLine(frame);
  if (line) return Buffer.concat([frame.raw.subarray(0, line.start), data, frame.raw.subarray(line.end)]);
  const { event, id, retryMs, comments } = frame;
  return renderSseFrame({
    event,
    data: data.toString("utf8"),
    ...(id === undefined ? {} : { id }),
    ...(retryMs === undefined ? {} : { retryMs }),
    comments,
  });
}

/** Where the data of a frame is that has one line of it. */
function findDataLine({ raw }: SseFrame): Span | undefined {
  let found: Span | undefined;
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.length);
  for (let start = 0; start < bytes.length; ) {
    let end = start;
    while (end < bytes.length && bytes[end] !== LF && bytes[end] !== CR) end++;
    if (bytes.subarray(start, start + NAME.length).equals(NAME)) {
      if (found) return undefined;
      const from = start + NAME.length;
      found = { start: bytes[from] === BLANK ? from + 1 : from, end };
    }
    start = end + 1;
  }
  return found;
}
