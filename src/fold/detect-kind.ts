import { clipText, toOneLine } from "../core/clip-text.ts";
import { KINDS, PLAIN } from "./catalogue.ts";
import { composeExcerpts, HEAD } from "./excerpt.ts";
import type { Hint } from "./hint.ts";
import type { Kind, Sample } from "./kind.ts";
import { parseSheet, type Sheet } from "./sheet.ts";

const LEAST_CONFIDENCE = 0.3;
const FIRST_LINES = 40;
const MIDDLE_LINES = 16;
const LAST_LINES = 16;
const SAMPLE_CUT = 200;

/** The most confident kind wins; between equals the first in the catalogue. */
export function recogniseSheet(sheet: Sheet, hint: Hint): Kind {
  const sample = takeSample(sheet);
  let best = PLAIN;
  let confidence = LEAST_CONFIDENCE;
  for (const kind of KINDS) {
    const found = kind.recognise(sample, hint);
    if (found > confidence) {
      best = kind;
      confidence = found;
    }
  }
  return best;
}

function takeSample({ text, lines, isNumbered }: Sheet): Sample {
  const middle = Math.max(FIRST_LINES, Math.floor(lines.length / 2) - MIDDLE_LINES / 2);
  const picked = [
    ...lines.slice(0, FIRST_LINES),
    ...lines.slice(middle, middle + MIDDLE_LINES),
    ...lines.slice(Math.max(middle + MIDDLE_LINES, lines.length - LAST_LINES)),
  ];
  return {
    lines: picked
      .filter((line) => line.trim() !== "")
      .map((line) => (line.length > SAMPLE_CUT ? line.slice(0, SAMPLE_CUT) : line)),
    start: text.slice(0, 1000).trimStart(),
    size: text.length,
    isNumbered,
  };
}

/** Separates consecutive lines; JSON needs no separator. */
const BREAK = " | ";
/** Beyond this the beginning of a text is enough for one line. */
const MAX_CHARACTERS = 24_000;
/** No line may take the room of all the others. */
const CUT_SHARE = 0.5;
const LEAST_CUT = 48;
/** Time, process and stream, as loggers write them in front of a level. */
const STAMP_BEFORE_LEVEL = /^(?=.{0,80}\d).{4,80}?\s(?=(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL)\b)/;

export interface Digest {
  readonly text: string;
  readonly isWhole: boolean;
}

/** An output in one line: all of it if it is short, otherwise the most informative lines (first, distinct, odd). */
export function digestOutput(output: string, room: number): Digest {
  if (room < LEAST_CUT) return { text: "", isWhole: false };
  const sheet = parseSheet(output.slice(0, MAX_CHARACTERS));
  const separator = /^\s*[[{]/.test(output) ? " " : BREAK;
  const whole = output.length > room * 4 ? "" : joinLines(sheet.lines, separator, room);
  if (whole !== "" && whole.length <= room) return { text: whole, isWhole: true };
  const cut = Math.max(LEAST_CUT, Math.floor(room * CUT_SHARE));
  // In one line the messages themselves are worth more than their number and their times.
  const excerpts = recogniseSheet(sheet, {})
    .outline(sheet, room, {})
    .filter(({ line }) => line !== HEAD)
    .map((excerpt) => ({ ...excerpt, text: excerpt.text.replace(STAMP_BEFORE_LEVEL, "") }));
  const lines = composeExcerpts(excerpts, { numbers: [], cut }, room).split("\n");
  return { text: clipText(joinLines(lines, separator, room), room), isWhole: false };
}

/** Stops as soon as the result is longer than `room`. */
function joinLines(lines: readonly string[], separator: string, room: number): string {
  let joined = "";
  for (const line of lines) {
    const text = toOneLine(line);
    if (text !== "") joined += joined === "" ? text : separator + text;
    if (joined.length > room) break;
  }
  return joined;
}
