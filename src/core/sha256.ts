import { encodeUtf8Into, isHigh } from "./utf8.ts";

/**
 * SHA-256 as 64 hexadecimal digits, the same in every runtime: stored originals are named by it, also where there is no
 * `node:crypto`. A text counts as its UTF-8 bytes (`utf8.ts`).
 */
export function sha256(content: string | Uint8Array): string {
  const state = Int32Array.from(INITIAL);
  if (typeof content === "string") absorbText(state, content);
  else finish(state, content, absorbWhole(state, content), content.length);
  let digits = "";
  for (const word of state) digits += (word >>> 0).toString(16).padStart(8, "0");
  return digits;
}

const INITIAL = rootsOfPrimes(8, Math.sqrt);
const ROUNDS = rootsOfPrimes(64, Math.cbrt);

/** The first 32 bits of the fractional part of a root of each of the first primes: how the standard defines its constants. */
function rootsOfPrimes(count: number, root: (prime: number) => number): Int32Array {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate++)
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  return Int32Array.from(found, (prime) => (root(prime) % 1) * 0x1_0000_0000);
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

const SCHEDULE = new Int32Array(64);

/**
 * One block of 64 bytes into the state, as FIPS 180-4 has it. The first megabyte matters most: a compaction inside a client
 * hashes little more, before the engine has compiled anything. There two short loops take a third of the time of unrolled
 * rounds (41 and 110 ms of CPU, Bun 1.4.4); unrolled rounds are 1.5 times as fast from about 10 MB on, in V8.
 */
function absorbBlock(state: Int32Array, view: DataView, from: number): void {
  const words = SCHEDULE;
  for (let at = 0; at < 16; at++) words[at] = view.getInt32(from + 4 * at);
  for (let at = 16; at < 64; at++) {
    const x = words[at - 15] ?? 0;
    const y = words[at - 2] ?? 0;
    const small0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const small1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
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
    const big1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const first = (h + (ROUNDS[at] ?? 0) + (words[at] ?? 0) + (g ^ (e & (f ^ g))) + big1) | 0;
    const big0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
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
