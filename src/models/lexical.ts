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

const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const MARK = 4;
const LINE = 5;
const SPACE = 6;
const WIDE = 7;
const OTHER = 8;
const KINDS = 9;
const FIRST_WIDE_UNIT = 0x2e80;

const KIND_OF_ASCII: Uint8Array = createAsciiKinds();

/** How often a unit of each kind follows one of each kind: without a branch for each, the walk takes two thirds of the time. */
const pairs = new Uint32Array(KINDS * KINDS);

export function countLexemes(text: string): LexicalCounts {
  pairs.fill(0);
  let previous = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const kind = unit < 128 ? (KIND_OF_ASCII[unit] ?? 0) : unit < FIRST_WIDE_UNIT ? OTHER : WIDE;
    const pair = previous * KINDS + kind;
    pairs[pair] = (pairs[pair] ?? 0) + 1;
    previous = kind;
  }
  const [upper, marks, spaces] = [countKind(UPPER), countKind(MARK), countKind(SPACE)];
  const lower = countKind(LOWER);
  return {
    words: lower - countPair(LOWER, LOWER) - countPair(UPPER, LOWER) + upper - countPair(UPPER, UPPER),
    letters: lower + upper,
    digits: countKind(DIGIT),
    marks,
    markRuns: marks - countPair(MARK, MARK),
    lines: countKind(LINE),
    spaces,
    spaceRuns: spaces - countPair(SPACE, SPACE),
    wide: countKind(WIDE),
    other: countKind(OTHER),
  };
}

function countPair(previous: number, kind: number): number {
  return pairs[previous * KINDS + kind] ?? 0;
}

function countKind(kind: number): number {
  let count = 0;
  for (let previous = 0; previous < KINDS; previous++) count += countPair(previous, kind);
  return count;
}

function createAsciiKinds(): Uint8Array {
  const kinds = new Uint8Array(128).fill(MARK);
  for (let unit = 97; unit <= 122; unit++) kinds[unit] = LOWER;
  for (let unit = 65; unit <= 90; unit++) kinds[unit] = UPPER;
  for (let unit = 48; unit <= 57; unit++) kinds[unit] = DIGIT;
  kinds[10] = LINE;
  kinds[9] = SPACE;
  kinds[13] = SPACE;
  kinds[32] = SPACE;
  return kinds;
}
