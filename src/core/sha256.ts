import { encodeUtf8Into, isHigh } from "./utf8.ts";

/**
 * SHA-256 as 64 hexadecimal digits, the same in every runtime: stored originals are named by it, also where there is no
 * `node:crypto`. A text counts as its UTF-8 bytes (`utf8.ts`). 100 KB take well under 3 ms.
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
  for (let at = 0; at < whole; at += 64) absorb(state, view, at);
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

/** One block of 64 bytes into the state, as FIPS 180-4 has it. Local variables, not arrays: three times as fast. */
function absorb(state: Int32Array, view: DataView, from: number): void {
  const schedule = SCHEDULE;
  for (let index = 0; index < 16; index++) schedule[index] = view.getInt32(from + index * 4);
  for (let index = 16; index < 64; index++) {
    const early = schedule[index - 15] ?? 0;
    const late = schedule[index - 2] ?? 0;
    const small0 = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3);
    const small1 = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
    schedule[index] = ((schedule[index - 16] ?? 0) + small0 + (schedule[index - 7] ?? 0) + small1) | 0;
  }
  let a = state[0] ?? 0;
  let b = state[1] ?? 0;
  let c = state[2] ?? 0;
  let d = state[3] ?? 0;
  let e = state[4] ?? 0;
  let f = state[5] ?? 0;
  let g = state[6] ?? 0;
  let h = state[7] ?? 0;
  // Eight rounds at a time: after eight of them every variable has its own name again, and none had to be moved.
  for (let round = 0; round < 64; round += 8) {
    h = (h + sigma1(e) + (g ^ (e & (f ^ g))) + (ROUNDS[round] ?? 0) + (schedule[round] ?? 0)) | 0;
    d = (d + h) | 0;
    h = (h + sigma0(a) + ((a & b) | (c & (a | b)))) | 0;
    g = (g + sigma1(d) + (f ^ (d & (e ^ f))) + (ROUNDS[round + 1] ?? 0) + (schedule[round + 1] ?? 0)) | 0;
    c = (c + g) | 0;
    g = (g + sigma0(h) + ((h & a) | (b & (h | a)))) | 0;
    f = (f + sigma1(c) + (e ^ (c & (d ^ e))) + (ROUNDS[round + 2] ?? 0) + (schedule[round + 2] ?? 0)) | 0;
    b = (b + f) | 0;
    f = (f + sigma0(g) + ((g & h) | (a & (g | h)))) | 0;
    e = (e + sigma1(b) + (d ^ (b & (c ^ d))) + (ROUNDS[round + 3] ?? 0) + (schedule[round + 3] ?? 0)) | 0;
    a = (a + e) | 0;
    e = (e + sigma0(f) + ((f & g) | (h & (f | g)))) | 0;
    d = (d + sigma1(a) + (c ^ (a & (b ^ c))) + (ROUNDS[round + 4] ?? 0) + (schedule[round + 4] ?? 0)) | 0;
    h = (h + d) | 0;
    d = (d + sigma0(e) + ((e & f) | (g & (e | f)))) | 0;
    c = (c + sigma1(h) + (b ^ (h & (a ^ b))) + (ROUNDS[round + 5] ?? 0) + (schedule[round + 5] ?? 0)) | 0;
    g = (g + c) | 0;
    c = (c + sigma0(d) + ((d & e) | (f & (d | e)))) | 0;
    b = (b + sigma1(g) + (a ^ (g & (h ^ a))) + (ROUNDS[round + 6] ?? 0) + (schedule[round + 6] ?? 0)) | 0;
    f = (f + b) | 0;
    b = (b + sigma0(c) + ((c & d) | (e & (c | d)))) | 0;
    a = (a + sigma1(f) + (h ^ (f & (g ^ h))) + (ROUNDS[round + 7] ?? 0) + (schedule[round + 7] ?? 0)) | 0;
    e = (e + a) | 0;
    a = (a + sigma0(b) + ((b & c) | (d & (b | c)))) | 0;
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

function sigma0(a: number): number {
  return ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
}

function sigma1(e: number): number {
  return ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
}

/** The first 32 bits of the fractional part of a root of each of the first primes: how the standard defines its constants. */
function rootsOfPrimes(count: number, root: (prime: number) => number): Int32Array {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate++)
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  return Int32Array.from(found, (prime) => (root(prime) % 1) * 0x1_0000_0000);
}

const INITIAL: Int32Array = rootsOfPrimes(8, Math.sqrt);
const ROUNDS: Int32Array = rootsOfPrimes(64, Math.cbrt);
