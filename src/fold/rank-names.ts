/** A name, how often it occurs and the line where it does first. */
export interface RankedName {
  readonly name: string;
  readonly line: number;
  count: number;
}

/** Characters looked at from the start and from the end: enough for nearly every output, a bound on the time for the rest. */
const MAX_FIRST = 28_000;
const MAX_LAST = 8_000;
const SHORTEST = 5;
const LONGEST_WORD = 40;
const LONGEST_PATH = 160;
/** Digits and letters by turns, or hexadecimal digits alone, are a hash or a key, not a name; `/td` closes an element. */
const NO_NAME = /\d[A-Za-z]{1,6}\d[A-Za-z]{1,6}\d|^[0-9a-f]{5,}$|^[\d/.-]{1,60}$|^\/[\w-]{1,60}$/;

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const UNDERSCORE = 4;
const JOINT = 5;
const SLASH = 6;
const CLASS_OF: Uint8Array = createClasses();

/**
 * Words that somebody coined (with a hump, an underscore or a digit) and, where wanted, paths: the most frequent first,
 * equally frequent ones in order of appearance. A walk over characters: patterns took three times as long.
 */
export function rankNames(lines: readonly string[], withPaths: boolean): readonly RankedName[] {
  const names = new Map<string, RankedName>();
  for (const line of chooseLines(lines)) {
    const text = lines[line] ?? "";
    for (let at = 0; at < text.length; ) {
      const end = findEnd(text, at);
      if (end - at >= SHORTEST) countRun(names, { text, line, from: at, to: end, withPaths });
      at = end + 1;
    }
  }
  return [...names.values()].sort((one, other) => other.count - one.count);
}

interface Run {
  readonly text: string;
  readonly line: number;
  readonly from: number;
  readonly to: number;
  readonly withPaths: boolean;
}

/** A run of letters, digits and joints: a path if it has a slash, otherwise the words between its joints. */
function countRun(names: Map<string, RankedName>, run: Run): void {
  const { text, from, to } = run;
  if (run.withPaths && to - from <= LONGEST_PATH && hasSlash(text, from, to)) {
    const path = text.slice(from, to).replace(/[.-]+$/, "");
    if (path.length >= SHORTEST && !path.endsWith("/")) count(names, path, run.line);
    return;
  }
  for (let at = from; at < to; ) {
    let end = at;
    let isCoined = false;
    let previous = OTHER;
    for (; end < to; end++) {
      const kind = CLASS_OF[text.charCodeAt(end)] ?? OTHER;
      if (kind >= JOINT || kind === OTHER) break;
      if (kind === UNDERSCORE || (previous === LOWER && (kind === UPPER || kind === DIGIT))) isCoined = true;
      previous = kind;
    }
    if (isCoined && end - at >= SHORTEST && end - at <= LONGEST_WORD) count(names, text.slice(at, end), run.line);
    at = end + 1;
  }
}

function count(names: Map<string, RankedName>, name: string, line: number): void {
  const known = names.get(name);
  if (known) known.count++;
  else if (!NO_NAME.test(name)) names.set(name, { name, line, count: 1 });
}

function findEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && (CLASS_OF[text.charCodeAt(at)] ?? OTHER) !== OTHER) at++;
  return at;
}

function hasSlash(text: string, from: number, to: number): boolean {
  const at = text.indexOf("/", from);
  return at >= 0 && at < to;
}

function* chooseLines(lines: readonly string[]): Generator<number> {
  let first = 0;
  for (let left = MAX_FIRST; first < lines.length && left > 0; first++) {
    left -= (lines[first]?.length ?? 0) + 1;
    yield first;
  }
  let last = lines.length;
  for (let left = MAX_LAST; last > first && left > 0; last--) left -= (lines[last - 1]?.length ?? 0) + 1;
  for (; last < lines.length; last++) yield last;
}

function createClasses(): Uint8Array {
  const classes = new Uint8Array(128).fill(OTHER);
  classes.fill(LOWER, 97, 123).fill(UPPER, 65, 91).fill(DIGIT, 48, 58);
  classes[95] = UNDERSCORE;
  for (const mark of ".@~+-$") classes[mark.charCodeAt(0)] = JOINT;
  classes[47] = SLASH;
  return classes;
}
