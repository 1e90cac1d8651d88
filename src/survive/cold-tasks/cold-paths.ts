import { encodeUtf8 } from "../../core/utf8.ts";

/** Folder of the summaries and of the state of the checks, below the user's home, with forward slashes. */
export const SUMMARY_FOLDER = ".claude/data/compressed_context";
export const STATE_FOLDER = ".claude/data/context_queue";

const NAME_DIGITS = 12;

/** A summary's file name is the first 12 hexadecimal digits of the MD5 of "session:task", as in the original pipeline. */
export function coldTaskPath(home: string, sessionId: string, taskId: string): string {
  return `${trimSlash(home)}/${SUMMARY_FOLDER}/${md5(`${sessionId}:${taskId}`).slice(0, NAME_DIGITS)}.json`;
}

export function coldStatePath(home: string, sessionId: string): string {
  return `${trimSlash(home)}/${STATE_FOLDER}/${safeName(sessionId)}_state.json`;
}

/** The pipeline's paths begin at the home. A renamed configuration folder does not move them, except for `locateSpareHome`. */
export function locateColdHome(configFolder: string, home = ""): string {
  const folder = trimSlash(configFolder);
  const [, parent] = folder.match(/^(.*)[\\/]\.claude$/s) ?? folder.match(/^(.*[\\/]plimsoll)$/s) ?? [];
  return parent ?? (home || folder.replace(/[\\/][^\\/]*$/, ""));
}

/** Ids are UUIDs; anything else must not lead out of the folder. */
function safeName(sessionId: string): string {
  return sessionId.replace(/[^\w.-]/g, "_").replace(/^\.+/, "_");
}

function trimSlash(home: string): string {
  return home.replace(/[\\/]+$/, "");
}

/** MD5 as 32 hexadecimal digits, in every runtime. Only for names that another program fixed that way, not for security: originals use SHA-256. */
export function md5(text: string): string {
  const padded = pad(encodeUtf8(text));
  const words = new DataView(padded.buffer);
  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
  for (let at = 0; at < padded.length; at += 64) absorb(state, words, at);
  const digest = new DataView(new ArrayBuffer(16));
  for (const [index, word] of state.entries()) digest.setInt32(index * 4, word, true);
  return Array.from(new Uint8Array(digest.buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Appends a one bit, zeros, and the length in bits as 64 bits, low half first. */
function pad(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, (bytes.length << 3) >>> 0, true);
  view.setUint32(padded.length - 4, Math.floor(bytes.length / 0x2000_0000), true);
  return padded;
}

/** Adds one block of 64 bytes to the state, as in RFC 1321. */
function absorb(state: Int32Array, words: DataView, from: number): void {
  let [a = 0, b = 0, c = 0, d = 0] = state;
  for (let step = 0; step < 64; step++) {
    const round = step >> 4;
    const mixed =
      round === 0 ? (b & c) | (~b & d) : round === 1 ? (d & b) | (~d & c) : round === 2 ? b ^ c ^ d : c ^ (b | ~d);
    const word = words.getInt32(from + (((PICK[round] ?? 0) * step + (START[round] ?? 0)) % 16) * 4, true);
    const sum = (a + mixed + (SINES[step] ?? 0) + word) | 0;
    const shift = SHIFTS[round]?.[step % 4] ?? 0;
    [a, d, c, b] = [d, c, b, (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0];
  }
  for (const [index, word] of [a, b, c, d].entries()) state[index] = (state[index] ?? 0) + word;
}

/** Which word of the block each step uses: `(factor * step + start) mod 16` per round. */
const PICK: readonly number[] = [1, 5, 3, 7];
const START: readonly number[] = [0, 1, 5, 0];
const SHIFTS: readonly (readonly number[])[] = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
];
const SINES: Int32Array = Int32Array.from({ length: 64 }, (_, index) =>
  Math.floor(Math.abs(Math.sin(index + 1)) * 0x1_0000_0000),
);
