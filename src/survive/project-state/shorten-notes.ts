import type { Merged } from "./merged.ts";
import { countPieceLines, type NotePiece } from "./note-pieces.ts";

/** Ticked items go first, then the oldest items of the fullest sections; the limit holds whatever the file looked like. */
export function shortenNotes(pieces: readonly NotePiece[], maxLines: number): Merged {
  const surplus = new Set<NotePiece>();
  const keep = (): readonly NotePiece[] => pieces.filter((piece) => !surplus.has(piece));
  let excess = countPieceLines(pieces) - maxLines;
  for (const piece of pieces) {
    if (excess <= 0 || !isTicked(piece)) continue;
    surplus.add(piece);
    excess -= piece.lines.length;
  }
  if (excess > 0) for (const piece of findOldest(keep(), maxLines)) surplus.add(piece);
  // Headings and prose alone may be too much: then the end of the file goes.
  let total = 0;
  for (const piece of keep()) {
    total += piece.lines.length;
    if (total > maxLines) surplus.add(piece);
  }
  const render = (some: readonly NotePiece[]): readonly string[] => some.map(({ lines }) => lines.join("\n"));
  return { text: `${render(keep()).join("\n")}\n`, evicted: render(pieces.filter((piece) => surplus.has(piece))) };
}

function isTicked({ isItem, lines }: NotePiece): boolean {
  return isItem && /^- \[x\] /i.test(lines[0] ?? "");
}

/** The same number of newest items in every section: the largest with which the file fits. */
function findOldest(pieces: readonly NotePiece[], maxLines: number): readonly NotePiece[] {
  const ranks = new Map<NotePiece, number>();
  const seen = new Map<string, number>();
  for (const piece of [...pieces].reverse().filter(({ isItem }) => isItem)) {
    const rank = (seen.get(piece.section) ?? 0) + 1;
    seen.set(piece.section, rank);
    ranks.set(piece, rank);
  }
  const surplusAt = (limit: number): readonly NotePiece[] => pieces.filter((piece) => (ranks.get(piece) ?? 0) > limit);
  const total = countPieceLines(pieces);
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (total - countPieceLines(surplusAt(middle)) <= maxLines) low = middle;
    else high = middle - 1;
  }
  return surplusAt(low);
}
