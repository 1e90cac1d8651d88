import { chooseLines } from "./choose-lines.ts";

/** A text as lines: colours gone, carriage returns resolved, the tool's own line numbers set apart. */
export interface Sheet {
  /** As it came, for kinds that parse the whole. */
  readonly text: string;
  readonly lines: readonly string[];
  /** The number to quote for a line: the file's own where the tool printed it, otherwise its place in the output. */
  readonly numbers: readonly number[];
  /** Whether the tool printed numbers: a line whose number is 0 is then the tool speaking about the file. */
  readonly isNumbered: boolean;
  /** Whether some lines were not looked at: what was counted is then the least there is. */
  readonly isPartial: boolean;
}

/** No preview shows more of a line, and patterns stay fast on minified files. */
const MAX_LINE = 2000;
const SAMPLE = 60;
const ESCAPE = "\u001b";
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const ESCAPES = /\u001b(?:\[[0-9;?]{0,32}[A-Za-z]|\][^\u0007\u001b]{0,512}(?:\u0007|\u001b\\)|[=>()][0-9A-B]?)/g;
const TAB = 9;
const SPACE = 32;
const ARROW = 0x2192;

export function parseSheet(text: string): Sheet {
  const { lines: chosen, places } = chooseLines(text);
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
    const width = isNumbered ? measureNumber(line) : 0;
    lines.push(width > 0 ? line.slice(width) : line);
    numbers.push(width > 0 ? readNumber(line, width) : isNumbered ? 0 : (places?.[index] ?? index + 1));
  }
  return { text, lines, numbers, isNumbered, isPartial: places !== undefined };
}

/** A progress bar rewrites its line: what a person would see is what came last. */
function settleReturns(line: string): string {
  const end = line.endsWith("\r") ? line.length - 1 : line.length;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}

/**
 * The length of `    12→` or `12<TAB>` at the start of a line, 0 where there is none: how a file that was read is
 * numbered, before and after client 2.1.89, and by `cat -n`.
 */
function measureNumber(line: string): number {
  let at = 0;
  while (at < 9 && line.charCodeAt(at) === SPACE) at++;
  const from = at;
  while (at < from + 7 && line.charCodeAt(at) >= 48 && line.charCodeAt(at) <= 57) at++;
  const mark = line.charCodeAt(at);
  return at > from && (mark === TAB || mark === ARROW) ? at + 1 : 0;
}

function readNumber(line: string, width: number): number {
  let number = 0;
  for (let at = 0; at < width - 1; at++) {
    const unit = line.charCodeAt(at);
    if (unit !== SPACE) number = number * 10 + unit - 48;
  }
  return number;
}

/** Numbers that count up by one, on most of the first lines: a table's first column does not. */
function looksNumbered(lines: readonly string[]): boolean {
  let previous = Number.NaN;
  let steps = 0;
  let seen = 0;
  for (const line of lines.slice(0, SAMPLE)) {
    if (line === "") continue;
    seen++;
    const width = measureNumber(line);
    if (width === 0) continue;
    const number = readNumber(line, width);
    if (number === previous + 1) steps++;
    previous = number;
  }
  return steps >= 2 && steps >= seen * 0.5 - 1;
}
