interface Prose {
  /** Share of the text's characters, without code. */
  readonly share: number;
  /** Where the longest paragraph begins. */
  readonly line: number;
  readonly longestCharacters: number;
}

const LEAST_CHARACTERS = 1000;
const LONG_PARAGRAPH = 600;
const MOST_SHARE = 0.6;

const STRUCTURE = /^\s*(?:#{1,6}\s|[-*+]\s|\d+[.)]\s|\||>|```|~~~|<\/?[\w-]+>|@\S)|^\s*$|^(?: {2,}|\t)\S/;

/** Running text in place of rules: most of a file, with a paragraph too long to take a rule out of. */
export function findProse(text: string): Prose | undefined {
  let isInFence = false;
  let prose = 0;
  let counted = 0;
  let paragraph = { line: 0, characters: 0 };
  let longest = paragraph;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isInFence = !isInFence;
    if (isFence || isInFence) continue;
    counted += line.length;
    if (STRUCTURE.test(line)) {
      paragraph = { line: 0, characters: 0 };
      continue;
    }
    prose += line.length;
    paragraph = { line: paragraph.line || index + 1, characters: paragraph.characters + line.length };
    if (paragraph.characters > longest.characters) longest = paragraph;
  }
  const share = counted === 0 ? 0 : prose / counted;
  if (text.length < LEAST_CHARACTERS || share <= MOST_SHARE || longest.characters < LONG_PARAGRAPH) return undefined;
  return { share, line: longest.line, longestCharacters: longest.characters };
}
