import { absorbBlock } from "./sha256-block.ts";
import { INITIAL } from "./sha256-constants.ts";
import { encodeUtf8Into, isHigh } from "./utf8.ts";

/**
 * SHA-256 as 64 hexadecimal digits, the same in every runtime: stored originals are named by it, also where there is no
 * `node:crypto`. A text counts as its UTF-8 bytes (`utf8.ts`). 100 KB take half a millisecond.
 */
export function sha256(content: string | Uint8Array): string {
  const state = Int32Array.from(INITIAL);
  if (typeof content === "string") absorbText(state, content);
  else finish(state, content, absorbWhole(state, content), content.length);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** A part small enough to stay in the processor's nearest memory; the buffer is used again for every part and text. */
const UNITS_AT_ONCE = 8192;
const BUFFER = new Uint8Array(UNITS_AT_ONCE * 3 + 64);

function absorbText(state: Int32Array, text: string): void {
  let left = 0;
  let length = 0;
  for (let from = 0; from < text.length; ) {
    const end = Math.min(text.length, from + UNITS_AT_ONCE);
    // A pair must not be parted: its halves alone are other bytes.
    const to = end < text.length && isHigh(text.charCodeAt(end - 1)) ? end - 1 : end;
    const written = encodeUtf8Into(text.slice(from, to), BUFFER.subarray(left));
    const filled = BUFFER.subarray(0, left + written);
    const done = absorbWhole(state, filled);
    BUFFER.copyWithin(0, done, filled.length);
    left = filled.length - done;
    length += written;
    from = to;
  }
  finish(state, BUFFER.subarray(0, left), 0, length);
}

/** Every whole block; how many bytes that were. */
function absorbWhole(state: Int32Array, bytes: Uint8Array): number {
  const whole = bytes.length - (bytes.length % 64);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < whole; at += 64) absorbBlock(state, view, at);
  return whole;
}

/** What is left after the last whole block, a one bit, zeros, and the length of all in bits as 64 bits. */
function finish(state: Int32Array, bytes: Uint8Array, from: number, length: number): void {
  const left = bytes.length - from;
  const tail = new Uint8Array(left < 56 ? 64 : 128);
  tail.set(bytes.subarray(from));
  tail[left] = 0x80;
  const view = new DataView(tail.buffer);
  view.setUint32(tail.length - 8, Math.floor(length / 0x2000_0000));
  view.setUint32(tail.length - 4, (length << 3) >>> 0);
  absorbWhole(state, tail);
}
