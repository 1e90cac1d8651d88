import { nameSuspects } from "./trouble-words.ts";

/** The words of a text and the shapes of its lines, as hashes. */
export interface LineWords {
  /** `NUMBER` for a word with a digit. */
  readonly words: Int32Array;
  /** Where the words of each line begin; one more than there are lines. */
  readonly starts: Int32Array;
  /** Two hashes of all of each line but its digits and spaces; both 0 for an empty one. */
  readonly shapes: Int32Array;
  readonly otherShapes: Int32Array;
  /** 1 for a line with a word or sign that trouble is told by: worth looking at closely. */
  readonly suspects: Uint8Array;
}

export const NUMBER = 1;
const PRIME = 0x01000193;
const OTHER_PRIME = 0x2545f491;

const SIGN = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
/** Holds the parts of a name or a path together. */
const JOINT = 4;
const SPACE = 5;
const MARK = 6;
const FEED = 10;
const ESCAPE = 27;
const QUOTE = 34;
const DOT = 46;
const FIVE = 53;
const CLASS_OF: Uint8Array = createClasses();

/** So many that hardly any other word falls into a place that is taken; one that does costs a closer look. */
const PLACES = 1 << 15;
const SUSPECTS: Uint8Array = createPlaces();

/**
 * One look at each character; patterns took three to twenty times as long. Words of trouble are known in any case, and
 * behind a hump: `TypeError`, `IOException`.
 */
export function splitWords(text: string, lines: number): LineWords {
  // Locals: bundlers make variables of a module's constants, and this loop runs once for each character.
  const classes = CLASS_OF;
  const taken = SUSPECTS;
  const mask = PLACES - 1;
  const prime = PRIME;
  const otherPrime = OTHER_PRIME;
  const { length } = text;
  const words = new Int32Array((length >> 1) + 1);
  const starts = new Int32Array(lines + 1);
  const shapes = new Int32Array(lines);
  const otherShapes = new Int32Array(lines);
  const suspects = new Uint8Array(lines);
  let [count, line, start, word, hasDigit, shape, other] = [0, 0, 0, 0, 0, 0, 0];
  let [hump, beforeCapital, fromCapital, previous, suspect] = [0, 0, 0, 0, 0];
  for (let at = 0; at <= length; at++) {
    const unit = at < length ? text.charCodeAt(at) : FEED;
    let kind = classes[unit] ?? MARK;
    // The end of a sentence is no part of its last word.
    if (unit === DOT && (classes[text.charCodeAt(at + 1) || 0] ?? MARK) > DIGIT) kind = MARK;
    if (kind < SPACE) {
      word = (Math.imul(word ^ unit, prime) + 1) | 0;
      if (kind === LOWER) {
        if (previous === UPPER) {
          suspect |= taken[beforeCapital & mask] ?? 0;
          hump = fromCapital;
        }
        hump = (Math.imul(hump ^ unit, prime) + 1) | 0;
      } else if (kind === UPPER) {
        if (previous === LOWER) {
          suspect |= taken[hump & mask] ?? 0;
          hump = 0;
        }
        beforeCapital = hump;
        hump = (Math.imul(hump ^ (unit | 32), prime) + 1) | 0;
        fromCapital = (Math.imul(unit | 32, prime) + 1) | 0;
      } else {
        suspect |= taken[hump & mask] ?? 0;
        hump = 0;
        if (kind === DIGIT) {
          hasDigit = 1;
          // `E0102`, how some logs begin.
          if (at === start + 1) suspect = 1;
        } else if (kind === SIGN) suspect = 1;
      }
      previous = kind;
      continue;
    }
    previous = kind;
    if (word !== 0) {
      suspect |= taken[hump & mask] ?? 0;
      hump = 0;
      const told = hasDigit === 1 ? NUMBER : word;
      shape = (Math.imul(shape ^ told, prime) + 1) | 0;
      other = (Math.imul(other ^ (told >>> 7), otherPrime) + 1) | 0;
      words[count++] = told;
      word = 0;
      hasDigit = 0;
    }
    if (kind === SPACE) continue;
    if (unit === FEED) {
      shapes[line] = shape;
      otherShapes[line] = other;
      suspects[line] = suspect;
      line++;
      starts[line] = count;
      start = at + 1;
      shape = 0;
      other = 0;
      suspect = 0;
    } else if (unit === ESCAPE) at = skipEscape(text, at);
    else {
      shape = (Math.imul(shape ^ unit, prime) + 1) | 0;
      other = (Math.imul(other ^ unit, otherPrime) + 1) | 0;
      // What a web server answered: `" 503 `.
      if (unit === QUOTE && text.charCodeAt(at + 2) === FIVE) suspect = 1;
    }
  }
  return { words: words.subarray(0, count), starts, shapes, otherShapes, suspects };
}

/** Colours are no words. */
function skipEscape(text: string, at: number): number {
  const end = Math.min(text.length, at + 12);
  let to = at + 1;
  while (to < end && (text.charCodeAt(to) < 64 || text.charCodeAt(to) === 91)) to++;
  return text.charCodeAt(to) === FEED ? to - 1 : to;
}

/** For every unit there is: a look into a table is cheaper than a comparison before it. */
function createClasses(): Uint8Array {
  const classes = new Uint8Array(1 << 16).fill(LOWER);
  classes.fill(SPACE, 0, 33).fill(MARK, 33, 128).fill(UPPER, 65, 91).fill(LOWER, 97, 123).fill(DIGIT, 48, 58);
  for (const joint of "_.-/\\@~$%") classes[joint.charCodeAt(0)] = JOINT;
  for (const sign of nameSuspects().signs) classes[sign.charCodeAt(0)] = SIGN;
  classes[FEED] = MARK;
  classes[ESCAPE] = MARK;
  return classes;
}

function createPlaces(): Uint8Array {
  const places = new Uint8Array(PLACES);
  for (const suspect of nameSuspects().words) {
    let hash = 0;
    for (let at = 0; at < suspect.length; at++) hash = (Math.imul(hash ^ suspect.charCodeAt(at), PRIME) + 1) | 0;
    places[hash & (PLACES - 1)] = 1;
  }
  // No word at all.
  places[0] = 0;
  return places;
}
