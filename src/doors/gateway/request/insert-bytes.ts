/** Something more in a body. `offset` counts in the body as it came, and lies before or behind all that was changed in it. */
export interface Insertion {
  readonly offset: number;
  readonly isBehind: boolean;
  readonly bytes: Buffer;
}

/** A body in pieces, made of one of `bodyBytes`, with more in it: in front a place is found from the beginning, behind from the end. */
export function insertBytes(
  pieces: readonly Buffer[],
  bodyBytes: number,
  insertions: readonly Insertion[],
): readonly Buffer[] {
  // Each one moves only what the others no longer look at.
  const inFront = insertions.filter(({ isBehind }) => !isBehind).sort((one, other) => other.offset - one.offset);
  const behind = insertions.filter(({ isBehind }) => isBehind).sort((one, other) => one.offset - other.offset);
  let made = pieces;
  for (const { offset, bytes } of inFront) made = insertAt(made, offset, bytes);
  for (const { offset, bytes } of behind) made = insertAt(made, measure(made) - (bodyBytes - offset), bytes);
  return made;
}

function insertAt(pieces: readonly Buffer[], at: number, bytes: Buffer): readonly Buffer[] {
  let before = 0;
  const index = pieces.findIndex((piece) => {
    if (at <= before + piece.length) return true;
    before += piece.length;
    return false;
  });
  const piece = pieces[index];
  if (!piece) return [...pieces, bytes];
  const cut = at - before;
  return [...pieces.slice(0, index), piece.subarray(0, cut), bytes, piece.subarray(cut), ...pieces.slice(index + 1)];
}

function measure(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}
