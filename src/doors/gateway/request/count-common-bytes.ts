/** From the largest to single ones: bodies of one client differ late, and are long. */
const STEPS_BYTES = [65_536, 1_024, 32, 1];

/** By the platform's own comparison, a piece at a time: 5 MB take a third of a millisecond. */
export function countCommonBytes(left: Buffer, right: Buffer): number {
  const length = Math.min(left.length, right.length);
  let at = 0;
  for (const step of STEPS_BYTES)
    for (; at < length; at += step) {
      const end = Math.min(length, at + step);
      if (left.compare(right, at, end, at, end) !== 0) break;
    }
  return Math.min(at, length);
}
