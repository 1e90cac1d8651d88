import { UNKNOWN_WORD } from "./resolve-path.ts";
import type { Scan, Shell } from "./shell-state.ts";

export interface Word {
  /** Without quotes. */
  readonly text: string;
  /** Nothing in it was quoted, escaped or expanded. Only such a word can be a keyword. */
  readonly isPlain: boolean;
}

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
export function parseWord(scan: Scan, shell: Shell): Word | undefined {
  const from = scan.at;
  const isFile = scan.text.startsWith("<(", from) || scan.text.startsWith(">(", from);
  if (isFile && scan.depth < MAX_SHELL_DEPTH) {
    scan.at += 2;
    shell.runNested(scan);
    return { text: UNKNOWN_WORD, isPlain: false };
  }
  const text = parsePieces(scan, shell, BREAK);
  return scan.at === from ? undefined : { text, isPlain: text === scan.text.slice(from, scan.at) };
}

/** Expands a here-document or another text as the shell does between double quotes. */
export function expandText(text: string, shell: Shell, depth: number): string {
  const scan = createScan(text, depth);
  let expanded = "";
  while (scan.at < text.length) {
    expanded = append(expanded, parseQuoted(scan, shell));
    if (text[scan.at - 1] === '"') expanded += '"';
  }
  return expanded;
}

function parsePieces(scan: Scan, shell: Shell, stop: RegExp): string {
  let word = "";
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] ?? "";
    if (stop.test(char)) break;
    word = append(word, parsePiece(scan, shell, char));
  }
  return word;
}

/** Always consumes at least one character. */
function parsePiece(scan: Scan, shell: Shell, char: string): string {
  if (char === "\\") {
    const escaped = scan.text[scan.at + 1] ?? "";
    scan.at += 2;
    return escaped === "\n" ? "" : escaped;
  }
  if (char === "'") return takeUntilQuote(scan);
  if (char === "`") return runBackquoted(scan, shell);
  if (char === "$") return parseDollar(scan, shell, { isQuoted: false });
  scan.at++;
  if (char === '"') return parseQuoted(scan, shell);
  scan.at--;
  const run = takeMatch(scan, PLAIN);
  if (run !== "") return run;
  scan.at++;
  return char;
}

/** Parses from after the opening quote to after the closing one. */
function parseQuoted(scan: Scan, shell: Shell): string {
  let quoted = "";
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] ?? "";
    if (char === '"') {
      scan.at++;
      return quoted;
    }
    if (char === "\\") {
      const escaped = scan.text[scan.at + 1] ?? "";
      scan.at += 2;
      quoted = append(quoted, escaped === "\n" ? "" : '$`"\\'.includes(escaped) ? escaped : `\\${escaped}`);
    } else if (char === "$") quoted = append(quoted, parseDollar(scan, shell, { isQuoted: true }));
    else if (char === "`") quoted = append(quoted, runBackquoted(scan, shell));
    else quoted = append(quoted, takeMatch(scan, PLAIN_QUOTED));
  }
  return quoted;
}

function append(word: string, piece: string): string {
  return word.length > MAX_WORD_CHARACTERS ? word : word + piece;
}

function parseDollar(scan: Scan, shell: Shell, { isQuoted }: { readonly isQuoted: boolean }): string {
  const next = scan.text[scan.at + 1] ?? "";
  scan.at++;
  if (next === "'" && !isQuoted) return takeAnsi(scan);
  if (next === '"' && !isQuoted) return "";
  if (next === "(" && scan.depth < MAX_SHELL_DEPTH) {
    scan.at++;
    shell.runNested(scan);
    return UNKNOWN_WORD;
  }
  if (next === "{" && scan.depth < MAX_SHELL_DEPTH) return parseBraced(scan, shell, isQuoted);
  const name = takeMatch(scan, NAME);
  if (name !== "") return findVariable(shell, name, isQuoted) ?? UNKNOWN_WORD;
  if (next === "" || !"?@*#!$-0123456789".includes(next)) return "$";
  scan.at++;
  return UNKNOWN_WORD;
}

/** Parses `${NAME}` and `${NAME:-otherwise}`. Any other form is skipped, and its value is unknown. */
function parseBraced(scan: Scan, shell: Shell, isQuoted: boolean): string {
  scan.at++;
  scan.depth++;
  const name = takeMatch(scan, NAME);
  const operator = /^:?[-=+]?/.exec(scan.text.slice(scan.at, scan.at + 2))?.[0] ?? "";
  scan.at += operator.length;
  const rest = parsePieces(scan, shell, /\}/);
  scan.at++;
  scan.depth--;
  const known = findVariable(shell, name, isQuoted);
  if (operator.endsWith("+")) return rest;
  if (operator.endsWith("-") || operator.endsWith("=")) return known ?? rest;
  return (operator === "" && rest === "" ? known : undefined) ?? UNKNOWN_WORD;
}

/** The value of a variable that has one after the other. */
export const SEVERAL_WORDS = "\u0001";

function findVariable(shell: Shell, name: string, isQuoted: boolean): string | undefined {
  if (name === "HOME") return shell.home;
  if (name === "PWD") return shell.directory;
  const value = shell.variables.get(name);
  if (value === SEVERAL_WORDS || (!isQuoted && /\s/.test(value?.trim() ?? ""))) shell.isUnsure = true;
  return value;
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

function runBackquoted(scan: Scan, shell: Shell): string {
  const quoted = takeMatch(scan, /`(?:[^`\\]+|\\[\s\S])*`?/y);
  const inner = quoted.slice(1, quoted.endsWith("`") && quoted.length > 1 ? -1 : undefined);
  shell.runText(inner.replace(/\\([`$\\])/g, "$1"), scan.depth + 1);
  return UNKNOWN_WORD;
}

/** Consumes and returns what a sticky pattern matches at `scan.at`; empty if it does not match. */
export function takeMatch(scan: Scan, sticky: RegExp): string {
  sticky.lastIndex = scan.at;
  const found = sticky.exec(scan.text)?.[0] ?? "";
  scan.at += found.length;
  return found;
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
