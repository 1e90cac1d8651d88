import { sliceWhole } from "../../core/clip-text.ts";

/** Shorter prompts stand whole, whatever is in them. */
const MAX_PROMPT_CHARACTERS = 2_000;
/** Nobody types so much: of the rest its beginning and its end stay, where people say what they want of it. */
const MAX_SHOWN_CHARACTERS = 12_000;
const END_CHARACTERS = 3_000;

/** So many lines of a log in a row are a paste. */
const LEAST_LINES = 8;
const SHOWN_FIRST = 3;
const SHOWN_LAST = 1;

/** A frame of a trace, a line with a time or a place in front, a warning that a browser has printed. */
const LOGGED =
  /^\s{0,40}(?:at\s|File "|\d{4}-\d\d-\d\d|\[?\d\d:\d\d|\S{1,80}:\d{1,7}\b|\(?anonymous\)?|(?:warning|error|info|debug|warn)\b|[\w$.<>]{1,60} @ )/i;

/**
 * What a person typed, with the logs and traces that they pasted by their first lines and their last one. The identical text
 * where nothing of the kind is in it.
 */
export function foldPastes(text: string): string {
  if (text.length <= MAX_PROMPT_CHARACTERS) return text;
  const shown: string[] = [];
  let run: string[] = [];
  const close = (): void => {
    shown.push(...foldRun(run));
    run = [];
  };
  for (const line of text.split("\n")) {
    if (isLogged(line) || (run.length > 0 && line.trim() === "")) run.push(line);
    else {
      close();
      shown.push(line);
    }
  }
  close();
  return cutMiddle(shown.join("\n"));
}

function isLogged(line: string): boolean {
  if (LOGGED.test(line)) return true;
  const body = line.trim().slice(0, 400);
  if (body.length < 20 || /^(?:[-*+>#|]|\d{1,3}[.)]) ?/.test(body)) return false;
  const letters = body.match(/[\p{L}\s]/gu)?.length ?? 0;
  return letters < body.length * 0.65;
}

function foldRun(lines: readonly string[]): readonly string[] {
  if (lines.length < LEAST_LINES) return lines;
  const left = lines.length - SHOWN_FIRST - SHOWN_LAST;
  return [...lines.slice(0, SHOWN_FIRST), `(… ${left} lines)`, ...lines.slice(-SHOWN_LAST)];
}

function cutMiddle(text: string): string {
  if (text.length <= MAX_SHOWN_CHARACTERS) return text;
  const end = text.slice(-END_CHARACTERS).replace(/^[\uDC00-\uDFFF]/, "");
  return `${sliceWhole(text, MAX_SHOWN_CHARACTERS - END_CHARACTERS)}\n(…)\n${end}`;
}
