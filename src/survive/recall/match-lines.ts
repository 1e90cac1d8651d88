import { createPatternMatcher } from "../../core/pattern/create-pattern-matcher.ts";
import { isHigh } from "../../core/utf8.ts";

/** A line that fits a pattern, or the part of a long line that does. */
export interface Hit {
  /** Which of the texts, and which of its lines; both count from 0. */
  readonly text: number;
  readonly line: number;
  readonly shown: string;
  readonly isWholeLine: boolean;
}

export interface LineSearch {
  /** The best first: more words, rarer ones, words next to each other; lines that are equally good in their order. */
  readonly hits: readonly Hit[];
  /** How the pattern was taken, if that does not go without saying. */
  readonly note: string;
}

const MAX_PATTERN = 500;
const MAX_WORDS = 24;
/** If fewer lines hold all words, the best of the others follow, up to this many together. */
const MOST_PARTIAL = 60;
/** A line with a smaller share of what the best one has is chance. */
const LEAST_SHARE = 0.2;
/** A longer line is shown around its match. */
const LONG_LINE = 480;
const PIECE = 240;
const MARGIN = 120;
/** A match of up to this length is never missed between two pieces. */
const OVERLAP = 80;

/** Searches every line for an expression or for words, whichever the pattern looks like, and for the other if that is nowhere. */
export function matchLines(texts: readonly string[], pattern: string): LineSearch {
  const short = pattern.slice(0, MAX_PATTERN);
  const expression = translate(short);
  const words = listWords(short);
  const asWords = () => searchWords(texts, words, short);
  const asExpression = () => searchExpression(texts, expression);
  if (!hasSigns(short)) return firstFound(asWords, asExpression);
  const why = createPatternMatcher(expression)
    ? "nothing matches as an expression"
    : "not an expression that can be searched for";
  return firstFound(asExpression, () => {
    const { hits, note } = asWords();
    return { hits, note: `${why}; taken as words: ${note === "" ? words.join(" ") : note}` };
  });
}

function firstFound(first: () => LineSearch, second: () => LineSearch): LineSearch {
  const found = first();
  if (found.hits.length > 0) return found;
  const other = second();
  return other.hits.length > 0 ? other : found;
}

/** A dot alone is no sign of an expression: `hull.ts` is a name. */
function hasSigns(pattern: string): boolean {
  return /[\\|[\](){}*+?^$]/.test(pattern);
}

/** Spellings of other languages. Each line is searched by itself and in any case, so that flags change nothing. */
function translate(pattern: string): string {
  return pattern.replace(/\\[\s\S]|\(\?[imsu]+[:)]|\(\?P</g, (sign) => {
    if (sign === "(?P<") return "(?<";
    if (sign.startsWith("(")) return sign.endsWith(":") ? "(?:" : "";
    return sign === "\\A" ? "^" : /[zZ]/.test(sign) ? "$" : sign;
  });
}

/** The words between blanks; of an expression, what it spells out. */
function listWords(pattern: string): readonly string[] {
  const isSpelled = hasSigns(pattern) && isExpression(translate(pattern));
  const parts = isSpelled
    ? translate(pattern)
        .replace(/\(\?(?:<\w+>)?|\\[a-zA-Z]/g, " ")
        .match(/[\p{L}\p{N}_]+/gu)
    : pattern.split(/\s+/).map((part) => part.replace(/^["'`,;]+|["'`,;]+$/g, ""));
  const words = new Set((parts ?? []).map((word) => word.toLowerCase()).filter((word) => word !== ""));
  return words.size === 0 ? [pattern.toLowerCase()] : [...words].slice(0, MAX_WORDS);
}

function isExpression(pattern: string): boolean {
  try {
    new RegExp(pattern, "i");
    return true;
  } catch {
    return false;
  }
}

type Test = (text: string) => boolean;

/** Every line that matches; of several alternatives, lines with the most of them first. */
function searchExpression(texts: readonly string[], pattern: string): LineSearch {
  const isMatch = createPatternMatcher(pattern);
  if (isMatch === undefined) return { hits: [], note: "" };
  const options = /[()[\]\\]/.test(pattern) ? [] : pattern.split("|").map((option) => createPatternMatcher(option));
  const tests = options.every((test) => test !== undefined) && options.length > 1 ? options : [isMatch];
  return { hits: rank(findHeld(texts, tests, isMatch), tests.length).map(({ hit }) => hit), note: "" };
}

interface Held {
  readonly hit: Hit;
  /** Which terms are in it. */
  readonly terms: readonly number[];
}

function findHeld(texts: readonly string[], tests: readonly Test[], isMatch: Test): readonly Held[] {
  return texts
    .flatMap((text, at) => findPlaces(text, at, isMatch))
    .map((hit) => ({ hit, terms: tests.flatMap((test, term) => (test(hit.shown) ? [term] : [])) }));
}

/** The heaviest first: a term counts the more, the fewer lines have it. */
function rank(held: readonly Held[], count: number): readonly (Held & { readonly weight: number })[] {
  const weights = Array.from({ length: count }, (_, term) => weighTerm(held, term));
  return held
    .map((each) => ({ ...each, weight: each.terms.reduce((sum, term) => sum + (weights[term] ?? 0), 0) }))
    .sort((one, other) => other.weight - one.weight);
}

/** Lines that hold all words, a phrase before the rest, then the best of those that hold some. */
function searchWords(texts: readonly string[], words: readonly string[], pattern: string): LineSearch {
  const tests = words.map(createWordTest);
  const held = findHeld(texts, tests, (text) => tests.some((test) => test(text)));
  const ranked = rank(held, words.length);
  const isPhrase = createWordTest(pattern);
  const whole = ranked
    .filter(({ terms }) => terms.length === words.length)
    .sort((one, other) => Number(isPhrase(other.hit.shown)) - Number(isPhrase(one.hit.shown)));
  const least = (ranked[0]?.weight ?? 0) * LEAST_SHARE;
  const partial = ranked
    .filter(({ terms, weight }) => terms.length < words.length && weight >= least)
    .slice(0, Math.max(0, MOST_PARTIAL - whole.length));
  const missing = words.filter((_, word) => weighTerm(held, word) === 0);
  return {
    hits: [...whole, ...partial].map(({ hit }) => hit),
    note: renderWordCounts(words, { whole: whole.length, partial: partial.length, missing }),
  };
}

/** Zero if no line has it. */
function weighTerm(held: readonly Held[], term: number): number {
  const count = held.filter(({ terms }) => terms.includes(term)).length;
  return count === 0 ? 0 : Math.log(1 + (held.length + 1) / count);
}

function renderWordCounts(
  words: readonly string[],
  { whole, partial, missing }: { whole: number; partial: number; missing: readonly string[] },
): string {
  if (words.length === 1) return "";
  const all = `${whole === 0 ? "no" : whole} line${whole === 1 ? " has" : "s have"} all ${words.length} words`;
  const some = partial === 0 ? "" : `${whole === 0 ? ", the best" : ", then the best"} ${partial} with some`;
  const none = missing.length === 0 || whole > 0 ? "" : `; nowhere: ${missing.join(", ")}`;
  return `${all}${some}${none}`;
}

function createWordTest(word: string): Test {
  const expression = new RegExp(word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "i");
  return (text) => expression.test(text);
}

function findPlaces(text: string, at: number, isMatch: Test): readonly Hit[] {
  return text.split("\n").flatMap((whole, line): readonly Hit[] => {
    if (!isMatch(whole)) return [];
    if (whole.length <= LONG_LINE) return [{ text: at, line, shown: whole, isWholeLine: true }];
    return cutAround(whole, isMatch).map((shown) => ({ text: at, line, shown, isWholeLine: false }));
  });
}

/** The parts of a long line that match, with what is around them; its beginning if only the whole line matches. */
function cutAround(line: string, isMatch: Test): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  while (from < line.length) {
    if (isMatch(line.slice(from, from + PIECE))) {
      const to = from + PIECE + MARGIN;
      pieces.push(cutWindow(line, Math.max(0, from - MARGIN), to));
      // What matches at the end of this part is shown already.
      from = isMatch(line.slice(to - OVERLAP, to)) ? to : to - OVERLAP;
    } else from += PIECE - OVERLAP;
  }
  return pieces.length > 0 ? pieces : [cutWindow(line, 0, LONG_LINE)];
}

/** Never within a character. */
function cutWindow(line: string, from: number, to: number): string {
  const first = isHigh(line.charCodeAt(from - 1)) ? from - 1 : from;
  const end = isHigh(line.charCodeAt(to - 1)) ? to - 1 : to;
  return `${first > 0 ? "…" : ""}${line.slice(first, end)}${end < line.length ? "…" : ""}`;
}
