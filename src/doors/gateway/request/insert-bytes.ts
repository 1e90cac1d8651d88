/**
 * A body in pieces with something more in it. `offset` counts in the body that the pieces were made of, and lies before or behind all
 * that was changed in it: in front it is found from the beginning, behind from the end.
 */
export interface Insertion {
  readonly offset: number;
  readonly isBehind: boolean;
  readonly bytes: Buffer;
}

export function insertBytes(pieces: readonly Buffer[], bodyBytes: number, insertion: Insertion): readonly Buffer[] {
  const total = pieces.reduce((sum, piece) => sum + piece.length, 0);
  let left = insertion.isBehind ? total - (bodyBytes - insertion.offset) : insertion.offset;
  const made: Buffer[] = [];
  let isDone = false;
  for (const piece of pieces) {
    if (isDone || left > piece.length) {
      if (!isDone) left -= piece.length;
      made.push(piece);
      continue;
    }
    made.push(piece.subarray(0, left), insertion.bytes, piece.subarray(left));
    isDone = true;
  }
  return made;
}
