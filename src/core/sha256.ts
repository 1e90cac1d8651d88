import { encodeUtf8Into, isHigh } from "./utf8.ts";

/** The first 32 bits of the fractional part of a root of each of the first primes: how the standard defines its constants. */
function rootsOfPrimes(count: number, root: (prime: number) => number): Int32Array {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate++)
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  return Int32Array.from(found, (prime) => (root(prime) % 1) * 0x1_0000_0000);
}

const INITIAL: Int32Array = rootsOfPrimes(8, Math.sqrt);
const ROUNDS: Int32Array = rootsOfPrimes(64, Math.cbrt);

/**
 * SHA-256 as 64 hexadecimal digits, the same in every runtime. Stored originals are named by it, also where there is no `node:crypto`. Text
 * is hashed as UTF-8 (`utf8.ts`). 100 KB take about a millisecond.
 */
export function sha256(content: string | Uint8Array): string {
  const state = Int32Array.from(INITIAL);
  if (typeof content === "string") absorbText(state, content);
  else finish(state, content, absorbWhole(state, content), content.length);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** Small enough for the processor's L1 cache; the buffer is reused for every part and text. */
const UNITS_AT_ONCE = 8192;
const BUFFER = new Uint8Array(UNITS_AT_ONCE * 3 + 64);

function absorbText(state: Int32Array, text: string): void {
  let left = 0;
  let length = 0;
  for (let from = 0; from < text.length; ) {
    const end = Math.min(text.length, from + UNITS_AT_ONCE);
    // A surrogate pair must not be split: its halves alone give other bytes.
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

/** Absorbs every whole block and returns how many bytes that was. */
function absorbWhole(state: Int32Array, bytes: Uint8Array): number {
  const whole = bytes.length - (bytes.length % 64);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < whole; at += 64) absorbBlock(state, view, at);
  return whole;
}

/** The rest after the last whole block, a one bit, zeros, and the total length in bits as 64 bits. */
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

const SCHEDULE = new Int32Array(64);

/**
 * Absorbs one block of 64 bytes, as in FIPS 180-4. Unrolled rounds are 1.5 times as fast once an engine has compiled them, but a compaction
 * inside Claude Code, which hashes little more than a megabyte, ended sooner with these two loops in 29 of 32 pairs on a busy machine.
 */
function absorbBlock(state: Int32Array, view: DataView, from: number): void {
  const words = SCHEDULE;
  for (let at = 0; at < 16; at++) words[at] = view.getInt32(from + 4 * at);
  for (let at = 16; at < 64; at++) {
    const x = words[at - 15] ?? 0;
    const y = words[at - 2] ?? 0;
    const small0 = rotr(x, 7) ^ rotr(x, 18) ^ (x >>> 3);
    const small1 = rotr(y, 17) ^ rotr(y, 19) ^ (y >>> 10);
    words[at] = (words[at - 16] ?? 0) + (words[at - 7] ?? 0) + small0 + small1;
  }
  let a = state[0] ?? 0;
  let b = state[1] ?? 0;
  let c = state[2] ?? 0;
  let d = state[3] ?? 0;
  let e = state[4] ?? 0;
  let f = state[5] ?? 0;
  let g = state[6] ?? 0;
  let h = state[7] ?? 0;
  for (let at = 0; at < 64; at++) {
    const big1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
    const first = (h + (ROUNDS[at] ?? 0) + (words[at] ?? 0) + (g ^ (e & (f ^ g))) + big1) | 0;
    const big0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + big0 + ((b & c) ^ (d & (b ^ c)))) | 0;
  }
  state[0] = (state[0] ?? 0) + a;
  state[1] = (state[1] ?? 0) + b;
  state[2] = (state[2] ?? 0) + c;
  state[3] = (state[3] ?? 0) + d;
  state[4] = (state[4] ?? 0) + e;
  state[5] = (state[5] ?? 0) + f;
  state[6] = (state[6] ?? 0) + g;
  state[7] = (state[7] ?? 0) + h;
}

/** Rotate right; the standard's name. */
function rotr(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
