const ENCODER = new TextEncoder();
const DECODER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** Without its partner; the flag makes a pair one character. */
const LONE_SURROGATE = /(\p{Surrogate})/u;

/** Node 18 has no check of its own, and the command hooks run there, too. */
const HAS_CHECK = "isWellFormed" in String.prototype;

export function isWellFormed(text: string): boolean {
  return HAS_CHECK ? text.isWellFormed() : !LONE_SURROGATE.test(text);
}

/**
 * Encodes text without loss: UTF-8, with a lone surrogate as the three bytes of its code point (WTF-8). The platform's encoder would write
 * a replacement character instead. Well-formed text gives plain UTF-8.
 */
export function encodeUtf8(text: string): Uint8Array {
  if (isWellFormed(text)) return ENCODER.encode(text);
  const bytes = new Uint8Array(text.length * 3);
  return bytes.slice(0, encodeUtf8Into(text, bytes));
}

/** The same into a buffer with three bytes of room per unit; returns the number of bytes. */
export function encodeUtf8Into(text: string, target: Uint8Array): number {
  if (isWellFormed(text)) return ENCODER.encodeInto(text, target).written;
  let at = 0;
  for (const piece of text.split(LONE_SURROGATE)) {
    if (piece === "") continue;
    const unit = piece.charCodeAt(0);
    if (LONE_SURROGATE.test(piece)) {
      target.set([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 63), 0x80 | (unit & 63)], at);
      at += 3;
    } else at += ENCODER.encodeInto(piece, target.subarray(at)).written;
  }
  return at;
}

/** The inverse of `encodeUtf8`; `undefined` for bytes it never produces. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  let text = "";
  let from = 0;
  let lastUnit = 0;
  try {
    for (let at = bytes.indexOf(0xed); at >= 0; at = bytes.indexOf(0xed, at + 1)) {
      const [, middle = 0, last = 0] = bytes.subarray(at, at + 3);
      // Below are ordinary characters, which the platform decodes.
      if (middle < 0xa0) continue;
      if (middle > 0xbf || (last & 0xc0) !== 0x80) return undefined;
      text += DECODER.decode(bytes.subarray(from, at));
      const unit = 0xd000 | ((middle & 63) << 6) | (last & 63);
      // Two lone halves in a row would have been a pair, which is encoded as four bytes.
      if (unit >= 0xdc00 && from === at && isHigh(lastUnit)) return undefined;
      text += String.fromCharCode(unit);
      lastUnit = unit;
      from = at + 3;
    }
    return text + DECODER.decode(bytes.subarray(from));
  } catch {
    return undefined;
  }
}

export function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
