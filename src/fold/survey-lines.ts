import { NUMBER, splitWords } from "./split-words.ts";
import { findTrouble, type Trouble } from "./trouble.ts";

export interface LineSurvey {
  readonly size: number;
  /** Lines that differ from this one only in words with digits, itself included; 0 for an empty line. */
  countLike(line: number): number;
  isFirst(line: number): boolean;
  /** Whether nearly all lines have one of a few forms and this one does not. */
  isOdd(line: number): boolean;
  /** A cheap check; `troubleAt` looks closely. */
  mayBeTrouble(line: number): boolean;
  troubleAt(line: number): Trouble | undefined;
}

const PRIME = 0x01000193;
const WORD_SLOTS = 1 << 14;
/** Replaces a word that few lines have. */
const NAME = 2;
/** Further words of a line say nothing more about its form. */
const MAX_WORDS = 48;
/** With fewer lines nothing repeats often enough to make others odd. */
const LEAST_LINES = 12;
const COMMON_SHARE = 0.02;
const UNIFORM_SHARE = 0.6;
const ODD_SHARE = 0.01;
const MOST_ALIKE = 4;

export function surveyLines(lines: readonly string[]): LineSurvey {
  // Joined first: each line is a slice of the whole text, and reading through a slice takes three times as long.
  const { words, starts, shapes, otherShapes, suspects } = splitWords(lines.join("\n"), lines.length);
  const alike = countEqual(shapes, otherShapes);
  const odd = findOdd(words, starts);
  const troubles = new Map<number, Trouble | undefined>();
  return {
    size: lines.length,
    countLike: (line) => alike.counts[alike.firsts[line] ?? 0] ?? 0,
    isFirst: (line) => alike.firsts[line] === line && (alike.counts[line] ?? 0) > 0,
    isOdd: (line) => odd.has(line),
    mayBeTrouble: (line) => suspects[line] === 1,
    troubleAt(line) {
      if (suspects[line] !== 1) return undefined;
      if (!troubles.has(line)) troubles.set(line, findTrouble(lines[line] ?? ""));
      return troubles.get(line);
    },
  };
}

interface Alike {
  /** For each line the first one equal to it. */
  readonly firsts: Int32Array;
  /** Counts, indexed by that first line. */
  readonly counts: Int32Array;
}

/** Compares both hashes. Uses its own table: a `Map` of numbers this large takes ten times as long. */
function countEqual(hashes: Int32Array, others: Int32Array): Alike {
  const size = hashes.length;
  let room = 64;
  while (room < size * 2) room *= 2;
  const table = new Int32Array(room);
  const firsts = new Int32Array(size);
  const counts = new Int32Array(size);
  for (let line = 0; line < size; line++) {
    const hash = hashes[line] ?? 0;
    let at = (hash ^ (hash >>> 15)) & (room - 1);
    let known = (table[at] ?? 0) - 1;
    while (known >= 0 && (hashes[known] !== hash || others[known] !== others[line])) {
      at = (at + 1) & (room - 1);
      known = (table[at] ?? 0) - 1;
    }
    if (known < 0) {
      table[at] = line + 1;
      known = line;
    }
    firsts[line] = known;
    if (others[line] !== 0 || hash !== 0) counts[known] = (counts[known] ?? 0) + 1;
  }
  return { firsts, counts };
}

/** The form of a line is its common words in order. A line is odd if its form is rare while there are few forms. */
function findOdd(words: Int32Array, starts: Int32Array): ReadonlySet<number> {
  const lines = starts.length - 1;
  const lengths = new Int32Array(lines);
  let filled = 0;
  for (let line = 0; line < lines; line++) {
    const length = (starts[line + 1] ?? 0) - (starts[line] ?? 0);
    lengths[line] = length;
    if (length > 0) filled++;
  }
  const odd = new Set<number>();
  if (filled < LEAST_LINES) return odd;
  const slots = countLines(words, starts);
  const common = Math.max(3, Math.ceil(filled * COMMON_SHARE));
  const forms = new Int32Array(lines);
  for (let line = 0; line < lines; line++) {
    const from = starts[line] ?? 0;
    const to = from + Math.min(lengths[line] ?? 0, MAX_WORDS);
    let form = 0;
    for (let at = from; at < to; at++) {
      const word = words[at] ?? 0;
      const shown = word === NUMBER || (slots[word & (WORD_SLOTS - 1)] ?? 0) >= common ? word : NAME;
      form = (Math.imul(form ^ shown, PRIME) + 1) | 0;
    }
    forms[line] = form;
  }
  const { firsts, counts } = countEqual(forms, lengths);
  let usual = 0;
  for (const count of counts) if (count >= common) usual += count;
  if (usual < filled * UNIFORM_SHARE) return odd;
  const most = Math.min(MOST_ALIKE, Math.max(1, Math.floor(filled * ODD_SHARE)));
  for (let line = 0; line < lines; line++)
    if ((lengths[line] ?? 0) > 0 && (counts[firsts[line] ?? 0] ?? 0) <= most) odd.add(line);
  return odd;
}

/** On how many lines each word occurs, by hash slot: two words that share a slot look more common than they are. */
function countLines(words: Int32Array, starts: Int32Array): Uint16Array {
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

/** Appended to a line that has others like it; correct whether or not some of them are shown too. */
export function renderAlike(count: number, isPartial: boolean): string {
  return count < 2 ? "" : ` (${isPartial ? "at least " : ""}${count} lines like this)`;
}
