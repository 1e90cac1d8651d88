import { findTrouble, mayBeTrouble, type Trouble } from "./trouble.ts";

/** Which lines of a text say the same, and which stand apart. */
export interface LineSurvey {
  readonly size: number;
  /** Lines that differ from this one in nothing but words with digits in them; itself included, 0 for an empty one. */
  countLike(line: number): number;
  /** Whether no line before it is like it. */
  isFirst(line: number): boolean;
  /** Whether nearly all lines have one of a few forms and this one has its own. */
  isOdd(line: number): boolean;
  /** A cheap look; `troubleAt` looks closely. */
  mayBeTrouble(line: number): boolean;
  troubleAt(line: number): Trouble | undefined;
}

const LETTER = 1;
const UPPER = 2;
const DIGIT = 3;
/** Holds the parts of a name or a path together. */
const JOINT = 4;
const SPACE = 5;
const MARK = 6;
const FEED = 10;
const ESCAPE = 27;
const DOT = 46;
const CLASS_OF: Uint8Array = createClasses();

const PRIME = 0x01000193;
const SEED = 0x2545f491;
const WORD_SLOTS = 1 << 14;
/** In the place of a word with a digit in it, and of a word that few lines have. */
const NUMBER = 1;
const NAME = 2;
/** Further words of one line say nothing more about its form. */
const MAX_WORDS = 48;
/** Below this many lines nothing repeats often enough to make the others odd. */
const LEAST_LINES = 12;
const COMMON_SHARE = 0.02;
const UNIFORM_SHARE = 0.6;
const ODD_SHARE = 0.01;
const MOST_ALIKE = 4;

/** Looks at each character once. */
export function surveyLines(lines: readonly string[]): LineSurvey {
  const { words, starts, shapes } = splitWords(lines);
  const size = lines.length;
  const counts = new Map<number, number>();
  const firsts = new Set<number>();
  for (let line = 0; line < size; line++) {
    const shape = shapes[line] ?? 0;
    if (shape === 0) continue;
    const known = counts.get(shape) ?? 0;
    counts.set(shape, known + 1);
    if (known === 0) firsts.add(line);
  }
  const odd = findOdd(words, starts);
  const troubles = new Map<number, Trouble | undefined>();
  return {
    size,
    countLike: (line) => counts.get(shapes[line] ?? 0) ?? 0,
    isFirst: (line) => firsts.has(line),
    isOdd: (line) => odd.has(line),
    mayBeTrouble: (line) => mayBeTrouble(lines[line] ?? ""),
    troubleAt(line) {
      if (troubles.has(line)) return troubles.get(line);
      const text = lines[line] ?? "";
      const trouble = mayBeTrouble(text) ? findTrouble(text) : undefined;
      troubles.set(line, trouble);
      return trouble;
    },
  };
}

interface Words {
  /** Hashes, `NUMBER` for a word with a digit. */
  readonly words: readonly number[];
  /** Where the words of each line begin; one more than there are lines. */
  readonly starts: readonly number[];
  /** A hash of all of each line but its digits and spaces; 0 for an empty one. */
  readonly shapes: readonly number[];
}

function splitWords(lines: readonly string[]): Words {
  // One flat text: a line is a window into another, and a look through it takes three times as long.
  const text = [...lines, ""].join("\n");
  const classes = CLASS_OF;
  const { length } = text;
  const words: number[] = [];
  const starts: number[] = [0];
  const shapes: number[] = [];
  let word = 0;
  let hasDigit = false;
  let [low, high] = [0, 0];
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    let kind = unit < 128 ? (classes[unit] ?? MARK) : LETTER;
    if (unit === DOT && (classes[text.charCodeAt(at + 1)] ?? LETTER) > JOINT) kind = MARK;
    if (kind <= JOINT) {
      word = Math.imul((word === 0 ? SEED : word) ^ unit, PRIME);
      if (kind === DIGIT) hasDigit = true;
      continue;
    }
    if (word !== 0) {
      const told = hasDigit ? NUMBER : word;
      low = Math.imul(low ^ told, PRIME) + 1;
      high = Math.imul(high ^ (told >>> 7), SEED) + 1;
      words.push(told);
      word = 0;
      hasDigit = false;
    }
    if (kind === SPACE) continue;
    if (unit === FEED) {
      shapes.push(low === 0 && high === 0 ? 0 : (low >>> 0) * 0x100000 + (high >>> 12));
      starts.push(words.length);
      [low, high] = [0, 0];
    } else if (unit === ESCAPE) at = skipEscape(text, at);
    else {
      low = Math.imul(low ^ unit, PRIME) + 1;
      high = Math.imul(high ^ unit, SEED) + 1;
    }
  }
  return { words, starts, shapes };
}

/** Colours are no words. */
function skipEscape(text: string, at: number): number {
  const end = Math.min(text.length, at + 12);
  let to = at + 1;
  while (to < end && (text.charCodeAt(to) < 64 || text.charCodeAt(to) === 91)) to++;
  return text.charCodeAt(to) === FEED ? to - 1 : to;
}

/** The form of a line is its words that many lines have, in their order. Odd is what has a form of its own among few forms. */
function findOdd(words: readonly number[], starts: readonly number[]): ReadonlySet<number> {
  const lines = starts.length - 1;
  const slots = countLines(words, starts);
  let filled = 0;
  for (let line = 0; line < lines; line++) if ((starts[line + 1] ?? 0) > (starts[line] ?? 0)) filled++;
  if (filled < LEAST_LINES) return new Set();
  const common = Math.max(3, Math.ceil(filled * COMMON_SHARE));
  const forms: number[] = [];
  const counts = new Map<number, number>();
  for (let line = 0; line < lines; line++) {
    const [from, to] = [starts[line] ?? 0, starts[line + 1] ?? 0];
    let form = to - from;
    for (let at = from; at < to && at < from + MAX_WORDS; at++) {
      const word = words[at] ?? 0;
      const told = word === NUMBER || (slots[word & (WORD_SLOTS - 1)] ?? 0) >= common ? word : NAME;
      form = Math.imul(form ^ told, PRIME) + 1;
    }
    forms.push(form);
    if (to > from) counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  const most = Math.min(MOST_ALIKE, Math.max(1, Math.floor(filled * ODD_SHARE)));
  let usual = 0;
  for (const count of counts.values()) if (count >= common) usual += count;
  if (usual < filled * UNIFORM_SHARE) return new Set();
  const odd = new Set<number>();
  for (let line = 0; line < lines; line++) {
    const isFilled = (starts[line + 1] ?? 0) > (starts[line] ?? 0);
    if (isFilled && (counts.get(forms[line] ?? 0) ?? 0) <= most) odd.add(line);
  }
  return odd;
}

/** On how many lines each word stands, by slots: two words that share one make each other look more common than they are. */
function countLines(words: readonly number[], starts: readonly number[]): Uint16Array {
  const slots = new Uint16Array(WORD_SLOTS);
  const last = new Int32Array(WORD_SLOTS).fill(-1);
  for (let line = 0; line + 1 < starts.length; line++) {
    const to = Math.min(starts[line + 1] ?? 0, (starts[line] ?? 0) + MAX_WORDS);
    for (let at = starts[line] ?? 0; at < to; at++) {
      const slot = (words[at] ?? 0) & (WORD_SLOTS - 1);
      if (last[slot] === line || slots[slot] === 0xffff) continue;
      last[slot] = line;
      slots[slot] = (slots[slot] ?? 0) + 1;
    }
  }
  return slots;
}

function createClasses(): Uint8Array {
  const classes = new Uint8Array(128).fill(MARK);
  classes.fill(SPACE, 0, 33).fill(UPPER, 65, 91).fill(LETTER, 97, 123).fill(DIGIT, 48, 58);
  for (const joint of "_.-/\\@~$%") classes[joint.charCodeAt(0)] = JOINT;
  classes[FEED] = MARK;
  classes[ESCAPE] = MARK;
  return classes;
}
