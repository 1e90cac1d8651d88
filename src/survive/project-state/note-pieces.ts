/** A run of lines that stays together: an item with its indented lines, or one line of anything else. */
export interface NotePiece {
  readonly lines: readonly string[];
  readonly isItem: boolean;
  readonly section: string;
}

export function toPieces(text: string): readonly NotePiece[] {
  const pieces: { lines: string[]; isItem: boolean; section: string }[] = [];
  let section = "";
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const last = pieces.at(-1);
    if (line.startsWith("## ")) section = line.slice(3).trim();
    const isItem = line.startsWith("- ");
    if (!isItem && last?.isItem && /^\s+\S/.test(line)) last.lines.push(line);
    else pieces.push({ lines: [line], isItem, section });
  }
  return pieces;
}

export function countPieceLines(pieces: readonly NotePiece[]): number {
  return pieces.reduce((sum, { lines }) => sum + lines.length, 0);
}
