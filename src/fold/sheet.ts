import { chooseLines, type Middle } from "./choose-lines.ts";

/** A text as lines, without colours, with carriage returns resolved and the tool's line numbers split off. */
export interface Sheet {
  /** Unchanged, for kinds that parse the whole. */
  readonly text: string;
  readonly lines: readonly string[];
  /** The number to quote for a line: the file's own if the tool printed it, otherwise its position in the output. */
  readonly numbers: readonly number[];
  /** Whether the tool printed numbers: a line with number 0 is then the tool's remark about the file. */
  readonly isNumbered: boolean;
  /** Some lines were not looked at, so counts are lower bounds. */
  readonly isPartial: boolean;
  /** How many lines the text has, as an editor counts them. */
  readonly total: number;
}

/** No preview shows more of a line, and it keeps patterns fast on minified files. */
const MAX_LINE = 2000;
const SAMPLE = 60;
const ESCAPE = "\u001b";
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const ESCAPES = /\u001b(?:\[[0-9;?]{0,32}[A-Za-z]|\][^\u0007\u001b]{0,512}(?:\u0007|\u001b\\)|[=>()][0-9A-B]?)/g;
const TAB = 9;
const SPACE = 32;
const ARROW = 0x2192;

export function parseSheet(text: string, middle: Middle = "nothing"): Sheet {
  const { lines: chosen, places, total } = chooseLines(text, middle);
  const hasReturns = text.includes("\r");
  const hasEscapes = text.includes(ESCAPE);
  const isNumbered = looksNumbered(chosen);
  const lines: string[] = [];
  const numbers: number[] = [];
  for (let index = 0; index < chosen.length; index++) {
    let line = chosen[index] ?? "";
    if (line.length > MAX_LINE) line = line.slice(0, MAX_LINE);
    if (hasEscapes) line = line.replace(ESCAPES, "");
    if (hasReturns) line = settleReturns(line);
    const own = isNumbered ? parseNumber(line) : undefined;
    lines.push(own ? line.slice(own.width) : line);
    numbers.push(own ? own.number : isNumbered ? 0 : (places?.[index] ?? index + 1));
  }
  // A final line feed starts no further line.
  const unfilled = text === "" || text.endsWith("\n") ? 1 : 0;
  return { text, lines, numbers, isNumbered, isPartial: places !== undefined, total: total - unfilled };
}

/** A progress bar rewrites its line; keep what a person would see at the end. */
function settleReturns(line: string): string {
  const end = line.endsWith("\r") ? line.length - 1 : line.length;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}

/**
 * `    12→` or `12<TAB>` at the start of a line: how clients before and after 2.1.89, and `cat -n`, number a file. `width` has the
 * characters before the line's content.
 */
function parseNumber(line: string): { readonly width: number; readonly number: number } | undefined {
  let at = 0;
  let unit = line.charCodeAt(0);
  while (at < 9 && unit === SPACE) unit = line.charCodeAt(++at);
  const from = at;
  let number = 0;
  for (; at < from + 7 && unit >= 48 && unit <= 57; unit = line.charCodeAt(++at)) number = number * 10 + unit - 48;
  return at > from && (unit === TAB || unit === ARROW) ? { width: at + 1, number } : undefined;
}

/** Numbers that count up by one on most of the first lines; a table's first column does not. */
function looksNumbered(lines: readonly string[]): boolean {
  let previous = Number.NaN;
  let steps = 0;
  let seen = 0;
  for (const line of lines.slice(0, SAMPLE)) {
    if (line === "") continue;
    seen++;
    const own = parseNumber(line);
    // The header of a table whose first column counts its rows.
    if (!own && seen === 1 && line.includes("\t")) return false;
    if (!own) continue;
    if (own.number === previous + 1) steps++;
    previous = own.number;
  }
  return steps >= 2 && steps >= seen * 0.5 - 1;
}
