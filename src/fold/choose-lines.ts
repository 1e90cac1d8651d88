import { surveyLines } from "./survey-lines.ts";
import { findTrouble } from "./trouble.ts";

export interface ChosenLines {
  readonly lines: readonly string[];
  /** Counted from 1; `undefined` if all lines were chosen. */
  readonly places: readonly number[] | undefined;
  /** All lines of the text, as `split` would count them. */
  readonly total: number;
}

/** A preview shows a hundredth of a text this long; looking at all of a longer one only takes time. */
const MAX_LOOKED = 36_000;
const LONG = { fromStart: 24_000, fromEnd: 8_000 };
/** Hashing and the survey take longer for longer texts, so less of the longest ones is looked at closely. */
const MAX_LONG = 72_000;
const LONGEST = { fromStart: 16_000, fromEnd: 6_000 };
const MAX_ODD = 40;
const MAX_TROUBLES = 40;
/** Limits for a text that hints at trouble on every line without meaning any, as code and prose do. */
const MAX_SUSPECTS = { trouble: 80, troubleAndOdd: 250 } as const;
/** Spells out both cases, since ignoring case costs three times as much; matches are then looked at closely. */
const SUSPECT =
  /[Ee]rror|ERROR|FAIL|[Ff]ailed|[Ff]ailure|[Pp]anic|xception|[Ww]arning|WARN|ismatch|[Dd]enied|[Rr]efused|imed out|not ok|✗|✕|❌/g;

/** All lines, or of a very long text its beginning, its end and what `middle` asks for in between. */
export function chooseLines(text: string, middle: Middle = "nothing"): ChosenLines {
  const all = text.split("\n");
  if (text.length <= MAX_LOOKED) return { lines: all, places: undefined, total: all.length };
  const { fromStart, fromEnd } = text.length <= MAX_LONG ? LONG : LONGEST;
  const start = countWithin(all, fromStart, 1);
  const end = all.length - countWithin(all, fromEnd, -1);
  // A few enormous lines, each of which is cut short anyway.
  if (end <= start) return { lines: all, places: undefined, total: all.length };
  const between = all.slice(start, end);
  const found = middle === "nothing" ? [] : middle === "trouble" ? chooseTroubles(between) : chooseOdd(between);
  const last = Array.from({ length: all.length - end }, (_, index) => end + index);
  const chosen = [...Array(start).keys(), ...found.map((line) => line + start), ...last];
  return { lines: chosen.map((line) => all[line] ?? ""), places: chosen.map((line) => line + 1), total: all.length };
}

/** How many lines hold the first characters, or the last with `step` -1. */
export function countWithin(lines: readonly string[], characters: number, step: 1 | -1): number {
  let left = characters;
  let count = 0;
  while (count < lines.length && left > 0) {
    left -= (lines[step > 0 ? count : lines.length - 1 - count]?.length ?? 0) + 1;
    count++;
  }
  return count;
}

function chooseTroubles(lines: readonly string[]): readonly number[] {
  const text = lines.join("\n");
  const lineOf = createLineFinder(text);
  const found: number[] = [];
  let suspects = 0;
  for (const { index } of text.matchAll(SUSPECT)) {
    if (suspects++ >= MAX_SUSPECTS.trouble || found.length >= MAX_TROUBLES) break;
    const line = lineOf(index);
    if (found.at(-1) !== line && findTrouble(lines[line] ?? "")) found.push(line);
  }
  return found;
}

/** Finds the line of a position; positions must be ascending. */
export function createLineFinder(text: string): (at: number) => number {
  let line = 0;
  let next = text.indexOf("\n");
  return (at) => {
    while (next >= 0 && next < at) {
      line++;
      next = text.indexOf("\n", next + 1);
    }
    return line;
  };
}

/** Odd lines, and one line of each shape that mentions trouble. */
function chooseOdd(lines: readonly string[]): readonly number[] {
  const survey = surveyLines(lines);
  const odd: number[] = [];
  const troubles: number[] = [];
  const most = MAX_SUSPECTS.troubleAndOdd;
  let suspects = 0;
  for (let line = 0; line < lines.length; line++) {
    if (survey.isOdd(line)) odd.push(line);
    else if (survey.isFirst(line) && survey.mayBeTrouble(line) && suspects++ < most && survey.troubleAt(line))
      troubles.push(line);
  }
  return [...pickSome(odd, MAX_ODD), ...pickSome(troubles, MAX_TROUBLES)].sort((one, other) => one - other);
}

/** If there are too many, the first and the last of them, half each. */
function pickSome(lines: readonly number[], most: number): readonly number[] {
  return lines.length <= most ? lines : [...lines.slice(0, most / 2), ...lines.slice(-most / 2)];
}

/** What to look for in the middle of a text that is too long to look at as a whole. `troubleAndOdd` takes longer. */
export type Middle = "nothing" | "trouble" | "troubleAndOdd";
