/** Git's wildmatch as an automaton in several states at once: no state is tried twice, so many stars cost no more than few. */

/** `skip` may jump over the next two steps: the `**` and the `/` of a `**` that matches no directory at all. */
type Step =
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "any" | "star" | "deep" | "skip" }
  | { readonly kind: "set"; readonly set: CharacterSet };

/** A pattern without special characters stays a string. */
export type Wild = string | readonly Step[];

interface CharacterSet {
  readonly isNegated: boolean;
  readonly ranges: readonly (readonly [from: string, to: string])[];
  readonly classes: readonly RegExp[];
}

const SPECIAL = /[*?[\\]/;

/** POSIX classes as in git: ASCII only. */
const CLASSES: ReadonlyMap<string, RegExp> = new Map([
  ["alnum", /[A-Za-z0-9]/],
  ["alpha", /[A-Za-z]/],
  ["blank", /[ \t]/],
  ["cntrl", /[^ -~\u{80}-\u{10ffff}]/u],
  ["digit", /[0-9]/],
  ["graph", /[!-~]/],
  ["lower", /[a-z]/],
  ["print", /[ -~]/],
  ["punct", /[!-/:-@[-`{-~]/],
  ["space", /[ \t-\r]/],
  ["upper", /[A-Z]/],
  ["xdigit", /[A-Fa-f0-9]/],
]);

/** Returns `undefined` for a pattern that git never matches: an unclosed set, an unknown class, a backslash at the end. */
export function parseWild(pattern: string): Wild | undefined {
  // Git compares the literal prefix first, then matches the rest alone, so the rest counts as the start of a pattern (`a**/b`).
  const begin = pattern.search(SPECIAL);
  if (begin < 0) return pattern;
  const steps: Step[] = [...pattern.slice(0, begin)].map((char) => ({ kind: "char", char }));
  for (let at = begin; at < pattern.length; ) {
    if (pattern[at] === "*") {
      const from = at;
      while (pattern[at] === "*") at++;
      const isAlone =
        at - from > 1 &&
        (from === begin || pattern[from - 1] === "/") &&
        (at === pattern.length || pattern[at] === "/" || pattern.startsWith("\\/", at));
      if (isAlone && pattern[at] === "/") steps.push({ kind: "skip" });
      steps.push({ kind: isAlone ? "deep" : "star" });
    } else if (pattern[at] === "?") {
      steps.push({ kind: "any" });
      at++;
    } else if (pattern[at] === "[") {
      const parsed = parseSet(pattern, at + 1);
      if (parsed === undefined) return undefined;
      steps.push({ kind: "set", set: parsed.set });
      at = parsed.end;
    } else {
      if (pattern[at] === "\\") at++;
      const code = pattern.codePointAt(at);
      if (code === undefined) return undefined;
      const char = String.fromCodePoint(code);
      steps.push({ kind: "char", char });
      at += char.length;
    }
  }
  return steps;
}

function parseSet(pattern: string, from: number): { readonly set: CharacterSet; readonly end: number } | undefined {
  const isNegated = pattern[from] === "!" || pattern[from] === "^";
  const ranges: [string, string][] = [];
  const classes: RegExp[] = [];
  let at = isNegated ? from + 1 : from;
  let previous = "";
  for (let isFirst = true; isFirst || pattern[at] !== "]"; isFirst = false) {
    const close = pattern.startsWith("[:", at) ? pattern.indexOf("]", at + 2) : 0;
    if (close < 0) return undefined;
    if (close > at + 2 && pattern[close - 1] === ":") {
      const known = CLASSES.get(pattern.slice(at + 2, close - 1));
      if (known === undefined) return undefined;
      classes.push(known);
      previous = "";
      at = close + 1;
      continue;
    }
    const isRange = pattern[at] === "-" && previous !== "" && at + 1 < pattern.length && pattern[at + 1] !== "]";
    if (isRange) at++;
    if (pattern[at] === "\\") at++;
    const code = pattern.codePointAt(at);
    if (code === undefined) return undefined;
    const char = String.fromCodePoint(code);
    ranges.push(isRange ? [previous, char] : [char, char]);
    previous = isRange ? "" : char;
    at += char.length;
  }
  return { set: { isNegated, ranges, classes }, end: at + 1 };
}

/** Ends of all prefixes of `text` that the whole pattern matches, ascending. One pass thus checks every parent folder. */
export function findMatchEnds(wild: Wild, text: string): readonly number[] {
  if (typeof wild === "string") return text.startsWith(wild) ? [wild.length] : [];
  const ends: number[] = [];
  const seenAt = new Int32Array(wild.length + 1).fill(-1);
  let places: number[] = [];
  enter({ steps: wild, seenAt, at: 0 }, 0, places);
  let at = 0;
  for (const char of text) {
    if (places.length === 0) return ends;
    at += char.length;
    const next: number[] = [];
    const round = { steps: wild, seenAt, at };
    for (const place of places) {
      const step = wild[place];
      const isOpen = step?.kind === "deep" || (step?.kind === "star" && char !== "/");
      if (isOpen) enter(round, place, next);
      else if (step && isStepMatch(step, char)) enter(round, place + 1, next);
    }
    places = next;
    if (seenAt[wild.length] === at) ends.push(at);
  }
  return ends;
}

export function isWildMatch(wild: Wild, text: string): boolean {
  return typeof wild === "string" ? wild === text : findMatchEnds(wild, text).at(-1) === text.length;
}

/** How many characters the pattern spells out; each set counts as one. */
export function countFixed(wild: Wild): number {
  if (typeof wild === "string") return wild.length;
  return wild.filter(({ kind }) => kind === "char" || kind === "set").length;
}

interface Round {
  readonly steps: readonly Step[];
  /** The text position at which each state was last entered: no state is entered twice for one character. */
  readonly seenAt: Int32Array;
  readonly at: number;
}

/** Enters a step, and every step that can be reached from it without consuming a character. */
function enter({ steps, seenAt, at }: Round, from: number, places: number[]): void {
  const starts = [from];
  for (let start = starts.pop(); start !== undefined; start = starts.pop()) {
    for (let place = start; seenAt[place] !== at; place++) {
      seenAt[place] = at;
      places.push(place);
      const kind = steps[place]?.kind;
      if (kind === "skip") starts.push(place + 3);
      else if (kind !== "star" && kind !== "deep") break;
    }
  }
}

function isStepMatch(step: Step, char: string): boolean {
  if (step.kind === "char") return step.char === char;
  if (char === "/") return false;
  if (step.kind !== "set") return step.kind === "any";
  const { isNegated, ranges, classes } = step.set;
  const isListed = ranges.some(([from, to]) => from <= char && char <= to) || classes.some((known) => known.test(char));
  return isListed !== isNegated;
}
