/**
 * How much of each text is told where all of them have too little room: small ones whole, large ones cut to one and the same
 * length. Filled from the front instead, the narrowest scope, which comes last, would be the first to fall silent.
 */
export function shareInstructionRoom(lengths: readonly number[], room: number): readonly number[] {
  let left = Math.max(0, room);
  let waiting = lengths.length;
  let share = 0;
  for (const length of [...lengths].sort((one, other) => one - other)) {
    share = Math.floor(left / waiting);
    if (length > share) return lengths.map((wanted) => Math.min(wanted, share));
    left -= length;
    waiting -= 1;
  }
  return lengths;
}
