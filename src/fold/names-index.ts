import { countWithin } from "./choose-lines.ts";
import { orderByRank } from "./excerpt.ts";
import type { NamesPolicy } from "./kind.ts";
import { redactSecrets } from "./redact-secrets.ts";
import type { Sheet } from "./sheet.ts";

const LEAST_ROOM = 40;
/** Of names that differ only in digits, this many are enough. */
const MAX_RELATIVES = 3;
const LABEL = "also names: ";

/**
 * The names in a text that its preview does not show yet, most frequent first, as many as fit: an index of what can be asked for. In
 * recorded sessions the next calls mention names far more often than lines.
 */
export function renderNamesIndex(
  sheet: Sheet,
  { names, shown, room }: { readonly names: NamesPolicy; readonly shown: string; readonly room: number },
): string {
  if (room < LEAST_ROOM || names === "none") return "";
  const chosen: string[] = [];
  const relatives = new Map<string, number>();
  const isSecret = createSecretCheck(sheet.lines);
  let left = room - LABEL.length;
  for (const { name, line } of rankNames(sheet.lines, names === "pathsAndWords")) {
    if (left < 8) break;
    if (name.length + 1 > left || shown.includes(name) || isSecret(name, line)) continue;
    const family = name.replace(/\d{1,40}/g, "#");
    const known = relatives.get(family) ?? 0;
    if (known >= MAX_RELATIVES) continue;
    relatives.set(family, known + 1);
    chosen.push(name);
    left -= name.length + 1;
  }
  return chosen.length === 0 ? "" : LABEL + chosen.join(" ");
}

/** A piece of a credential looks like a name, so its line decides. Each line is checked once. */
function createSecretCheck(lines: readonly string[]): (name: string, line: number) => boolean {
  const safe = new Map<number, string>();
  return (name, line) => {
    const known = safe.get(line) ?? redactSecrets(lines[line] ?? "");
    safe.set(line, known);
    return !known.includes(name);
  };
}

interface RankedName {
  readonly name: string;
  readonly line: number;
  count: number;
}

/** Characters read from the start and from the end: enough for nearly every output, and it bounds the time for the rest. */
const MAX_FIRST = 20_000;
const MAX_LAST = 5_000;
const SHORTEST = 5;
const LONGEST_WORD = 40;
const LONGEST_PATH = 160;
/** Alternating digits and letters, or only hex digits, are a hash or a key; `/td` closes an element. */
const NO_NAME = /\d[A-Za-z]{1,6}\d[A-Za-z]{1,6}\d|^[0-9a-f]{5,}$|^[\d/.-]{1,60}$|^\/[\w-]{1,60}$/;

const JOINTS = /[.@~+$/-]/;
const COINED = /_|[a-z][A-Z0-9]/;

const FEED = 10;
const CLASSES = 128;
/** Character classes in a name; 0 ends every name. */
const LOWER = 1;
const UPPER_OR_DIGIT = 2;
const UNDERSCORE = 4;
const JOINT = 8;
const SLASH = 16;
/** Lower case followed by something else, as in camelCase. */
const HUMP = 32;
const CLASS_OF: Uint8Array = createClasses();

/**
 * Identifiers (with camel case, an underscore or a digit) and optionally paths, most frequent first, equals in order of appearance. Walks
 * over characters: patterns took three times as long.
 */
export function* rankNames(lines: readonly string[], withPaths: boolean): Generator<RankedName> {
  const names = new Map<string, RankedName>();
  const first = countWithin(lines, MAX_FIRST, 1);
  const last = Math.max(first, lines.length - countWithin(lines, MAX_LAST, -1));
  gatherNames(names, { lines: lines.slice(0, first), firstLine: 0, withPaths });
  gatherNames(names, { lines: lines.slice(last), firstLine: last, withPaths });
  // Few are ever requested, so non-names are filtered only here.
  for (const ranked of orderByRank(names.values(), ({ count }) => count)) if (!NO_NAME.test(ranked.name)) yield ranked;
}

interface Part {
  readonly lines: readonly string[];
  readonly firstLine: number;
  readonly withPaths: boolean;
}

/**
 * Looks at each character once: most runs hold neither a slash nor an identifier and end there. The lines are joined first, since each is a
 * slice of the whole text, and reading through a slice takes three times as long.
 */
function gatherNames(names: Map<string, RankedName>, { lines, firstLine, withPaths }: Part): void {
  const text = [...lines, ""].join("\n");
  // Local copies: bundlers turn a module's constants into variables, and this loop runs once per character.
  const [classes, lower, upperOrDigit, hump] = [CLASS_OF, LOWER, UPPER_OR_DIGIT, HUMP];
  const { length } = text;
  let line = firstLine;
  let from = 0;
  let seen = 0;
  let previous = 0;
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    const kind = unit < CLASSES ? (classes[unit] ?? 0) : 0;
    if (kind > 0) {
      seen |= kind;
      if (previous === lower && kind === upperOrDigit) seen |= hump;
      previous = kind;
      continue;
    }
    if (at - from >= SHORTEST && seen > upperOrDigit + lower) {
      if (withPaths && (seen & SLASH) > 0 && at - from <= LONGEST_PATH) addPath(names, text.slice(from, at), line);
      else if ((seen & (HUMP | UNDERSCORE)) > 0) {
        const run = text.slice(from, at);
        if ((seen & (SLASH | JOINT)) > 0) addWords(names, run, line);
        else if (run.length <= LONGEST_WORD) addName(names, run, line);
      }
    }
    if (unit === FEED) line++;
    from = at + 1;
    seen = 0;
    previous = 0;
  }
}

function addPath(names: Map<string, RankedName>, run: string, line: number): void {
  const path = run.replace(/[.-]{1,160}$/, "");
  if (path.length >= SHORTEST && !path.endsWith("/")) addName(names, path, line);
}

/** Of a run joined by slashes and the like, the words that are not in a dictionary. */
function addWords(names: Map<string, RankedName>, run: string, line: number): void {
  for (const word of run.split(JOINTS))
    if (word.length >= SHORTEST && word.length <= LONGEST_WORD && COINED.test(word)) addName(names, word, line);
}

function addName(names: Map<string, RankedName>, name: string, line: number): void {
  const known = names.get(name);
  if (known) known.count++;
  else names.set(name, { name, line, count: 1 });
}

function createClasses(): Uint8Array {
  const classes = new Uint8Array(CLASSES);
  classes.fill(LOWER, 97, 123).fill(UPPER_OR_DIGIT, 65, 91).fill(UPPER_OR_DIGIT, 48, 58);
  classes[95] = UNDERSCORE;
  for (const mark of ".@~+-$") classes[mark.charCodeAt(0)] = JOINT;
  classes[47] = SLASH;
  return classes;
}
