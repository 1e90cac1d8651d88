/**
 * A text in numbers that predict its tokens: one walk, no tables of words, the same in every runtime.
 * A word is a run of letters, and every hump of a camelCaseName starts another one, because tokenizers cut there too.
 */
export interface LexicalCounts {
  readonly words: number;
  readonly letters: number;
  readonly digits: number;
  readonly marks: number;
  readonly markRuns: number;
  readonly lines: number;
  readonly spaces: number;
  readonly spaceRuns: number;
  /** Chinese, Japanese, Korean and other scripts of one token or more per character. */
  readonly wide: number;
  /** Everything else beyond ASCII: accents, arrows, box drawing. */
  readonly other: number;
}

const NONE = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const MARK = 4;
const LINE = 5;
const SPACE = 6;
const FIRST_WIDE_UNIT = 0x2e80;

const CLASS_OF_ASCII: Uint8Array = createAsciiClasses();

export function countLexemes(text: string): LexicalCounts {
  let words = 0;
  let letters = 0;
  let digits = 0;
  let marks = 0;
  let markRuns = 0;
  let lines = 0;
  let spaces = 0;
  let spaceRuns = 0;
  let wide = 0;
  let other = 0;
  let previous = NONE;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 127) {
      if (unit >= FIRST_WIDE_UNIT) wide++;
      else other++;
      previous = NONE;
      continue;
    }
    const kind = CLASS_OF_ASCII[unit] ?? NONE;
    if (kind === LOWER) {
      letters++;
      if (previous !== LOWER && previous !== UPPER) words++;
    } else if (kind === UPPER) {
      letters++;
      if (previous !== UPPER) words++;
    } else if (kind === SPACE) {
      spaces++;
      if (previous !== SPACE) spaceRuns++;
    } else if (kind === MARK) {
      marks++;
      if (previous !== MARK) markRuns++;
    } else if (kind === DIGIT) digits++;
    else lines++;
    previous = kind;
  }
  return { words, letters, digits, marks, markRuns, lines, spaces, spaceRuns, wide, other };
}

function createAsciiClasses(): Uint8Array {
  const classes = new Uint8Array(128).fill(MARK);
  for (let unit = 97; unit <= 122; unit++) classes[unit] = LOWER;
  for (let unit = 65; unit <= 90; unit++) classes[unit] = UPPER;
  for (let unit = 48; unit <= 57; unit++) classes[unit] = DIGIT;
  classes[10] = LINE;
  classes[9] = SPACE;
  classes[13] = SPACE;
  classes[32] = SPACE;
  return classes;
}
