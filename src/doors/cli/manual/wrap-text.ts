/** A text in lines no wider than told, the later ones indented; what is wider without a blank stands alone. Columns stay columns. */
export function wrapText(text: string, columns: number, indent: string): readonly string[] {
  const [first = "", ...words] = text.split(/(?<=\S) (?=\S)/);
  const lines: string[] = [];
  let line = first;
  for (const word of words) {
    if (line.length + 1 + word.length <= columns) line += ` ${word}`;
    else {
      lines.push(line);
      line = `${indent}${word}`;
    }
  }
  return [...lines, line];
}
