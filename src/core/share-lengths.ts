/** Shares the room: small texts whole, large ones cut to the same length. Filling from the front would drop what comes last. */
export function shareLengths(lengths: readonly number[], room: number): readonly number[] {
  let left = Math.max(0, room);
  let waiting = lengths.length;
  for (const length of [...lengths].sort((one, other) => one - other)) {
    const share = Math.floor(left / waiting);
    if (length > share) return lengths.map((wanted) => Math.min(wanted, share));
    left -= length;
    waiting -= 1;
  }
  return lengths;
}
