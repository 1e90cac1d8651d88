/** A position in shell text. `hereFrom` is the line end at which here-documents begin, `hereTo` is where they end. */
export interface Scan {
  readonly text: string;
  at: number;
  hereFrom: number;
  hereTo: number;
  /** How many expansions are open at `at`. */
  depth: number;
}

/** What parsing a word needs from the shell around it. Both return `undefined` if the output cannot be known. */
export interface Expander {
  readonly findVariable: (name: string) => readonly string[] | undefined;
  /** Returns what the commands from `scan.at` up to their `)` print, and moves `scan` behind it. */
  readonly runNested: (scan: Scan) => readonly string[] | undefined;
  /** The same for backquotes, whose text is separate. */
  readonly runText: (text: string) => readonly string[] | undefined;
}

export interface Word {
  /** Without quotes. There are several if a variable or a substitution has several values. */
  readonly fields: readonly string[];
  /** Nothing in it was quoted, escaped or expanded. Only such a word can be a keyword. */
  readonly isPlain: boolean;
}

/** Marks a part that only the shell will know. No shell word can contain this character. */
export const UNKNOWN_WORD = "\0";
/** How many alternatives of one word are followed; the rest is dropped. */
export const MAX_FIELDS = 64;
/** Longer than any path: one alternative of such a word is enough. */
const MAX_FIELD_CHARACTERS = 4096;
/** A word does not grow beyond this. */
const MAX_WORD_CHARACTERS = 1_000_000;
export const MAX_SHELL_DEPTH = 40;

const PLAIN = /[^ \t\r\n;&|<>()'"`$\\}]+/y;
const PLAIN_QUOTED = /[^"`$\\]+/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const BREAK = /[ \t\r\n;&|<>()]/;
const ANSI = /\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|([0-7]{1,3})|([\s\S]))/gi;
const ANSI_LETTERS: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
]);

export function createScan(text: string, depth = 0): Scan {
  return { text, at: 0, hereFrom: -1, hereTo: -1, depth };
}

/** The word at `scan.at`, or `undefined` where none begins. */
export function parseWord(scan: Scan, expander: Expander): Word | undefined {
  const from = scan.at;
  const isFile = scan.text.startsWith("<(", from) || scan.text.startsWith(">(", from);
  if (isFile && scan.depth < MAX_SHELL_DEPTH) {
    scan.at += 2;
    expander.runNested(scan);
    return { fields: [UNKNOWN_WORD], isPlain: false };
  }
  const fields = parsePieces(scan, expander, BREAK);
  if (scan.at === from) return undefined;
  const isPlain = fields[0] === scan.text.slice(from, scan.at);
  return { fields, isPlain };
}

/** Expands a here-document or another text as the shell does between double quotes. */
export function expandText(text: string, expander: Expander, depth: number): string {
  const scan = createScan(text, depth);
  let fields: readonly string[] = [""];
  while (scan.at < text.length) {
    fields = join(fields, parseQuoted(scan, expander));
    if (text[scan.at - 1] === '"') fields = join(fields, ['"']);
  }
  return fields[0] ?? "";
}

function parsePieces(scan: Scan, expander: Expander, stop: RegExp): readonly string[] {
  let fields: readonly string[] = [""];
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] ?? "";
    if (stop.test(char)) break;
    fields = join(fields, parsePiece(scan, expander, char));
  }
  return fields;
}

/** Always consumes at least one character. */
function parsePiece(scan: Scan, expander: Expander, char: string): readonly string[] {
  if (char === "\\") {
    const escaped = scan.text[scan.at + 1] ?? "";
    scan.at += 2;
    return [escaped === "\n" ? "" : escaped];
  }
  if (char === "'") return [takeUntilQuote(scan)];
  if (char === "`") return takeBackquoted(scan, expander)?.flatMap(splitField) ?? [UNKNOWN_WORD];
  if (char === "$") return parseDollar(scan, expander, { isQuoted: false })?.flatMap(splitField) ?? [UNKNOWN_WORD];
  scan.at++;
  if (char === '"') return parseQuoted(scan, expander);
  scan.at--;
  const run = takeMatch(scan, PLAIN);
  if (run !== "") return [run];
  scan.at++;
  return [char];
}

/** Parses from after the opening quote to after the closing one. */
function parseQuoted(scan: Scan, expander: Expander): readonly string[] {
  let fields: readonly string[] = [""];
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] ?? "";
    if (char === '"') {
      scan.at++;
      return fields;
    }
    if (char === "\\") {
      const escaped = scan.text[scan.at + 1] ?? "";
      scan.at += 2;
      fields = join(fields, [escaped === "\n" ? "" : '$`"\\'.includes(escaped) ? escaped : `\\${escaped}`]);
    } else if (char === "$") {
      fields = join(fields, parseDollar(scan, expander, { isQuoted: true }) ?? [UNKNOWN_WORD]);
    } else if (char === "`") {
      fields = join(fields, [takeBackquoted(scan, expander)?.join(" ") ?? UNKNOWN_WORD]);
    } else fields = join(fields, [takeMatch(scan, PLAIN_QUOTED)]);
  }
  return fields;
}

function parseDollar(
  scan: Scan,
  expander: Expander,
  { isQuoted }: { readonly isQuoted: boolean },
): readonly string[] | undefined {
  const next = scan.text[scan.at + 1] ?? "";
  scan.at++;
  if (next === "'" && !isQuoted) return [takeAnsi(scan)];
  if (next === '"' && !isQuoted) return [];
  if (next === "(" && scan.depth < MAX_SHELL_DEPTH) {
    scan.at++;
    const printed = expander.runNested(scan);
    return isQuoted && printed !== undefined ? [printed.join(" ")] : printed;
  }
  if (next === "{" && scan.depth < MAX_SHELL_DEPTH) return parseBraced(scan, expander);
  const name = takeMatch(scan, NAME);
  if (name !== "") return expander.findVariable(name);
  if (next === "" || !"?@*#!$-0123456789".includes(next)) return ["$"];
  scan.at++;
  return undefined;
}

/** Parses `${NAME}` and `${NAME:-otherwise}`. Any other form is skipped, and its value is unknown. */
function parseBraced(scan: Scan, expander: Expander): readonly string[] | undefined {
  scan.at++;
  scan.depth++;
  const name = takeMatch(scan, NAME);
  const operator = /^:?[-=+]?/.exec(scan.text.slice(scan.at, scan.at + 2))?.[0] ?? "";
  scan.at += operator.length;
  const rest = parsePieces(scan, expander, /\}/);
  scan.at++;
  scan.depth--;
  const known = name === "" ? undefined : expander.findVariable(name);
  if (operator.endsWith("+")) return rest;
  if (operator.endsWith("-") || operator.endsWith("=")) return known ?? rest;
  return operator === "" && rest.join("") === "" ? known : undefined;
}

function takeUntilQuote(scan: Scan): string {
  const end = scan.text.indexOf("'", scan.at + 1);
  const quoted = scan.text.slice(scan.at + 1, end < 0 ? undefined : end);
  scan.at = end < 0 ? scan.text.length : end + 1;
  return quoted;
}

function takeAnsi(scan: Scan): string {
  const quoted = takeMatch(scan, /'(?:[^'\\]+|\\[\s\S])*'?/y);
  return quoted.slice(1, quoted.endsWith("'") && quoted.length > 1 ? -1 : undefined).replace(ANSI, decodeAnsi);
}

function decodeAnsi(_all: string, hex?: string, unicode?: string, octal?: string, letter = ""): string {
  const digits = hex ?? unicode;
  if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
  return ANSI_LETTERS.get(letter) ?? letter;
}

function takeBackquoted(scan: Scan, expander: Expander): readonly string[] | undefined {
  const quoted = takeMatch(scan, /`(?:[^`\\]+|\\[\s\S])*`?/y);
  const inner = quoted.slice(1, quoted.endsWith("`") && quoted.length > 1 ? -1 : undefined);
  return expander.runText(inner.replace(/\\([`$\\])/g, "$1"));
}

/** Consumes and returns what a sticky pattern matches at `scan.at`; empty if it does not match. */
export function takeMatch(scan: Scan, sticky: RegExp): string {
  sticky.lastIndex = scan.at;
  const found = sticky.exec(scan.text)?.[0] ?? "";
  scan.at += found.length;
  return found;
}

/** Splits as the shell splits unquoted text. Splitting a `$'..'` as well may give too many paths, never too few. */
function splitField(field: string): readonly string[] {
  if (!/\s/.test(field)) return field === "" ? [] : [field];
  return field.split(/\s+/).filter((part) => part !== "");
}

function join(fields: readonly string[], pieces: readonly string[]): readonly string[] {
  const [first = ""] = fields;
  const [piece] = pieces;
  if (piece === undefined) return fields;
  if (first.length > MAX_WORD_CHARACTERS) return fields;
  if (first.length > MAX_FIELD_CHARACTERS) return [first + piece];
  if (pieces.length === 1) return fields.map((field) => field + piece);
  if (fields.length === 1 && first === "") return pieces;
  const followed = pieces.slice(0, Math.max(1, Math.floor(MAX_FIELDS / fields.length)));
  return fields.flatMap((field) => followed.map((next) => field + next));
}

/** Takes the body of the here-document whose operator was just parsed. It begins after the line, or after the previous here-document. */
export function takeHereDocument(
  scan: Scan,
  delimiter: string,
  { isIndented }: { readonly isIndented: boolean },
): string {
  const { text } = scan;
  if (scan.hereFrom < scan.at) {
    scan.hereFrom = findLineEnd(text, scan.at);
    scan.hereTo = Math.min(scan.hereFrom + 1, text.length);
  }
  const from = scan.hereTo;
  for (let at = from; at < text.length; ) {
    const end = findLineEnd(text, at);
    const line = text.slice(at, text[end - 1] === "\r" ? end - 1 : end);
    const next = Math.min(end + 1, text.length);
    if ((isIndented ? line.replace(/^\t+/, "") : line) === delimiter) {
      scan.hereTo = next;
      return text.slice(from, at);
    }
    at = next;
  }
  scan.hereTo = text.length;
  return text.slice(from);
}

function findLineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}
