/** Where a line may be broken: at single blanks between words. Columns of a table, which are further apart, stay together. */
const BETWEEN_WORDS = /(?<=\S) (?=\S)/;
/** Better still, where one thing ends and the next begins. */
const BETWEEN_THINGS = / (?=· )/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of colours are what is left out
const COLOURS = /\u001b\[[\d;]*m/g;

/**
 * A text for a person in lines no wider than their terminal: longer ones go on below, two blanks further in. A word that is wider
 * by itself, such as a path, stays whole, so that it can be copied.
 */
export function fitLines(text: string, columns: number): string {
  return text
    .split("\n")
    .flatMap((line) => (measure(line) <= columns ? [line] : breakLine(line, columns)))
    .join("\n");
}

function breakLine(line: string, columns: number): readonly string[] {
  const indent = " ".repeat((/^ */.exec(line)?.[0].length ?? 0) + 2);
  const lines: string[] = [];
  let current: string | undefined;
  const things = line.split(BETWEEN_THINGS);
  const isOfThings = things.every((thing) => measure(thing) + indent.length <= columns);
  for (const word of isOfThings ? things : line.split(BETWEEN_WORDS)) {
    if (current === undefined) current = word;
    else if (measure(current) + 1 + measure(word) <= columns) current += ` ${word}`;
    else {
      lines.push(current);
      current = `${indent}${word}`;
    }
  }
  return [...lines, current ?? ""];
}

/** As a terminal shows it. */
function measure(text: string): number {
  return text.replace(COLOURS, "").length;
}
