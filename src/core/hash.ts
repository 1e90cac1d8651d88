/**
 * A fast 64-bit hash of a string's UTF-16 units as 16 hexadecimal digits, the same in every runtime.
 * For identity inside one conversation, not for content addressing: stored originals use SHA-256.
 */
export function hashText(text: string, seed = 0): string {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  const mixedHigh = mix(high) ^ mix(low ^ text.length);
  const mixedLow = mix(low) ^ mix(high ^ Math.imul(text.length, 0x85ebca6b));
  return hex(mixedHigh) + hex(mixedLow);
}

/** The finaliser of MurmurHash3: every input bit reaches every output bit. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}
