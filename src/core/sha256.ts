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
 * is hashed as UTF-8 (`utf8.ts`). 100 KB take half a millisecond.
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

/**
 * Absorbs one block of 64 bytes, as in FIPS 180-4, sixteen rounds at a time. Everything is a local variable: after eight rounds each has
 * its own name again, and the sixteen schedule words are replaced by the next sixteen. With the schedule in an array it takes half as long
 * again. `rotr` is small enough that V8 always inlines it; longer functions stop being inlined after the first few. Two short loops are
 * three times as fast in a fresh Node or Bun process, but were no faster in the realm that Claude Code gives a module.
 */
function absorbBlock(state: Int32Array, view: DataView, from: number): void {
  let a = state[0] ?? 0;
  let b = state[1] ?? 0;
  let c = state[2] ?? 0;
  let d = state[3] ?? 0;
  let e = state[4] ?? 0;
  let f = state[5] ?? 0;
  let g = state[6] ?? 0;
  let h = state[7] ?? 0;
  let w0 = view.getInt32(from);
  let w1 = view.getInt32(from + 4);
  let w2 = view.getInt32(from + 8);
  let w3 = view.getInt32(from + 12);
  let w4 = view.getInt32(from + 16);
  let w5 = view.getInt32(from + 20);
  let w6 = view.getInt32(from + 24);
  let w7 = view.getInt32(from + 28);
  let w8 = view.getInt32(from + 32);
  let w9 = view.getInt32(from + 36);
  let w10 = view.getInt32(from + 40);
  let w11 = view.getInt32(from + 44);
  let w12 = view.getInt32(from + 48);
  let w13 = view.getInt32(from + 52);
  let w14 = view.getInt32(from + 56);
  let w15 = view.getInt32(from + 60);
  for (let at = 0; ; at += 16) {
    h = (h + (ROUNDS[at] ?? 0) + w0 + (g ^ (e & (f ^ g))) + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25))) | 0;
    d = (d + h) | 0;
    h = (h + ((a & b) ^ (c & (a ^ b))) + (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22))) | 0;
    g = (g + (ROUNDS[at + 1] ?? 0) + w1 + (f ^ (d & (e ^ f))) + (rotr(d, 6) ^ rotr(d, 11) ^ rotr(d, 25))) | 0;
    c = (c + g) | 0;
    g = (g + ((h & a) ^ (b & (h ^ a))) + (rotr(h, 2) ^ rotr(h, 13) ^ rotr(h, 22))) | 0;
    f = (f + (ROUNDS[at + 2] ?? 0) + w2 + (e ^ (c & (d ^ e))) + (rotr(c, 6) ^ rotr(c, 11) ^ rotr(c, 25))) | 0;
    b = (b + f) | 0;
    f = (f + ((g & h) ^ (a & (g ^ h))) + (rotr(g, 2) ^ rotr(g, 13) ^ rotr(g, 22))) | 0;
    e = (e + (ROUNDS[at + 3] ?? 0) + w3 + (d ^ (b & (c ^ d))) + (rotr(b, 6) ^ rotr(b, 11) ^ rotr(b, 25))) | 0;
    a = (a + e) | 0;
    e = (e + ((f & g) ^ (h & (f ^ g))) + (rotr(f, 2) ^ rotr(f, 13) ^ rotr(f, 22))) | 0;
    d = (d + (ROUNDS[at + 4] ?? 0) + w4 + (c ^ (a & (b ^ c))) + (rotr(a, 6) ^ rotr(a, 11) ^ rotr(a, 25))) | 0;
    h = (h + d) | 0;
    d = (d + ((e & f) ^ (g & (e ^ f))) + (rotr(e, 2) ^ rotr(e, 13) ^ rotr(e, 22))) | 0;
    c = (c + (ROUNDS[at + 5] ?? 0) + w5 + (b ^ (h & (a ^ b))) + (rotr(h, 6) ^ rotr(h, 11) ^ rotr(h, 25))) | 0;
    g = (g + c) | 0;
    c = (c + ((d & e) ^ (f & (d ^ e))) + (rotr(d, 2) ^ rotr(d, 13) ^ rotr(d, 22))) | 0;
    b = (b + (ROUNDS[at + 6] ?? 0) + w6 + (a ^ (g & (h ^ a))) + (rotr(g, 6) ^ rotr(g, 11) ^ rotr(g, 25))) | 0;
    f = (f + b) | 0;
    b = (b + ((c & d) ^ (e & (c ^ d))) + (rotr(c, 2) ^ rotr(c, 13) ^ rotr(c, 22))) | 0;
    a = (a + (ROUNDS[at + 7] ?? 0) + w7 + (h ^ (f & (g ^ h))) + (rotr(f, 6) ^ rotr(f, 11) ^ rotr(f, 25))) | 0;
    e = (e + a) | 0;
    a = (a + ((b & c) ^ (d & (b ^ c))) + (rotr(b, 2) ^ rotr(b, 13) ^ rotr(b, 22))) | 0;
    h = (h + (ROUNDS[at + 8] ?? 0) + w8 + (g ^ (e & (f ^ g))) + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25))) | 0;
    d = (d + h) | 0;
    h = (h + ((a & b) ^ (c & (a ^ b))) + (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22))) | 0;
    g = (g + (ROUNDS[at + 9] ?? 0) + w9 + (f ^ (d & (e ^ f))) + (rotr(d, 6) ^ rotr(d, 11) ^ rotr(d, 25))) | 0;
    c = (c + g) | 0;
    g = (g + ((h & a) ^ (b & (h ^ a))) + (rotr(h, 2) ^ rotr(h, 13) ^ rotr(h, 22))) | 0;
    f = (f + (ROUNDS[at + 10] ?? 0) + w10 + (e ^ (c & (d ^ e))) + (rotr(c, 6) ^ rotr(c, 11) ^ rotr(c, 25))) | 0;
    b = (b + f) | 0;
    f = (f + ((g & h) ^ (a & (g ^ h))) + (rotr(g, 2) ^ rotr(g, 13) ^ rotr(g, 22))) | 0;
    e = (e + (ROUNDS[at + 11] ?? 0) + w11 + (d ^ (b & (c ^ d))) + (rotr(b, 6) ^ rotr(b, 11) ^ rotr(b, 25))) | 0;
    a = (a + e) | 0;
    e = (e + ((f & g) ^ (h & (f ^ g))) + (rotr(f, 2) ^ rotr(f, 13) ^ rotr(f, 22))) | 0;
    d = (d + (ROUNDS[at + 12] ?? 0) + w12 + (c ^ (a & (b ^ c))) + (rotr(a, 6) ^ rotr(a, 11) ^ rotr(a, 25))) | 0;
    h = (h + d) | 0;
    d = (d + ((e & f) ^ (g & (e ^ f))) + (rotr(e, 2) ^ rotr(e, 13) ^ rotr(e, 22))) | 0;
    c = (c + (ROUNDS[at + 13] ?? 0) + w13 + (b ^ (h & (a ^ b))) + (rotr(h, 6) ^ rotr(h, 11) ^ rotr(h, 25))) | 0;
    g = (g + c) | 0;
    c = (c + ((d & e) ^ (f & (d ^ e))) + (rotr(d, 2) ^ rotr(d, 13) ^ rotr(d, 22))) | 0;
    b = (b + (ROUNDS[at + 14] ?? 0) + w14 + (a ^ (g & (h ^ a))) + (rotr(g, 6) ^ rotr(g, 11) ^ rotr(g, 25))) | 0;
    f = (f + b) | 0;
    b = (b + ((c & d) ^ (e & (c ^ d))) + (rotr(c, 2) ^ rotr(c, 13) ^ rotr(c, 22))) | 0;
    a = (a + (ROUNDS[at + 15] ?? 0) + w15 + (h ^ (f & (g ^ h))) + (rotr(f, 6) ^ rotr(f, 11) ^ rotr(f, 25))) | 0;
    e = (e + a) | 0;
    a = (a + ((b & c) ^ (d & (b ^ c))) + (rotr(b, 2) ^ rotr(b, 13) ^ rotr(b, 22))) | 0;
    if (at === 48) break;
    w0 = (w0 + w9 + (rotr(w1, 7) ^ rotr(w1, 18) ^ (w1 >>> 3)) + (rotr(w14, 17) ^ rotr(w14, 19) ^ (w14 >>> 10))) | 0;
    w1 = (w1 + w10 + (rotr(w2, 7) ^ rotr(w2, 18) ^ (w2 >>> 3)) + (rotr(w15, 17) ^ rotr(w15, 19) ^ (w15 >>> 10))) | 0;
    w2 = (w2 + w11 + (rotr(w3, 7) ^ rotr(w3, 18) ^ (w3 >>> 3)) + (rotr(w0, 17) ^ rotr(w0, 19) ^ (w0 >>> 10))) | 0;
    w3 = (w3 + w12 + (rotr(w4, 7) ^ rotr(w4, 18) ^ (w4 >>> 3)) + (rotr(w1, 17) ^ rotr(w1, 19) ^ (w1 >>> 10))) | 0;
    w4 = (w4 + w13 + (rotr(w5, 7) ^ rotr(w5, 18) ^ (w5 >>> 3)) + (rotr(w2, 17) ^ rotr(w2, 19) ^ (w2 >>> 10))) | 0;
    w5 = (w5 + w14 + (rotr(w6, 7) ^ rotr(w6, 18) ^ (w6 >>> 3)) + (rotr(w3, 17) ^ rotr(w3, 19) ^ (w3 >>> 10))) | 0;
    w6 = (w6 + w15 + (rotr(w7, 7) ^ rotr(w7, 18) ^ (w7 >>> 3)) + (rotr(w4, 17) ^ rotr(w4, 19) ^ (w4 >>> 10))) | 0;
    w7 = (w7 + w0 + (rotr(w8, 7) ^ rotr(w8, 18) ^ (w8 >>> 3)) + (rotr(w5, 17) ^ rotr(w5, 19) ^ (w5 >>> 10))) | 0;
    w8 = (w8 + w1 + (rotr(w9, 7) ^ rotr(w9, 18) ^ (w9 >>> 3)) + (rotr(w6, 17) ^ rotr(w6, 19) ^ (w6 >>> 10))) | 0;
    w9 = (w9 + w2 + (rotr(w10, 7) ^ rotr(w10, 18) ^ (w10 >>> 3)) + (rotr(w7, 17) ^ rotr(w7, 19) ^ (w7 >>> 10))) | 0;
    w10 = (w10 + w3 + (rotr(w11, 7) ^ rotr(w11, 18) ^ (w11 >>> 3)) + (rotr(w8, 17) ^ rotr(w8, 19) ^ (w8 >>> 10))) | 0;
    w11 = (w11 + w4 + (rotr(w12, 7) ^ rotr(w12, 18) ^ (w12 >>> 3)) + (rotr(w9, 17) ^ rotr(w9, 19) ^ (w9 >>> 10))) | 0;
    w12 =
      (w12 + w5 + (rotr(w13, 7) ^ rotr(w13, 18) ^ (w13 >>> 3)) + (rotr(w10, 17) ^ rotr(w10, 19) ^ (w10 >>> 10))) | 0;
    w13 =
      (w13 + w6 + (rotr(w14, 7) ^ rotr(w14, 18) ^ (w14 >>> 3)) + (rotr(w11, 17) ^ rotr(w11, 19) ^ (w11 >>> 10))) | 0;
    w14 =
      (w14 + w7 + (rotr(w15, 7) ^ rotr(w15, 18) ^ (w15 >>> 3)) + (rotr(w12, 17) ^ rotr(w12, 19) ^ (w12 >>> 10))) | 0;
    w15 = (w15 + w8 + (rotr(w0, 7) ^ rotr(w0, 18) ^ (w0 >>> 3)) + (rotr(w13, 17) ^ rotr(w13, 19) ^ (w13 >>> 10))) | 0;
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
