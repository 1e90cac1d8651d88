import { clipText, toOneLine } from "../core/clip-text.ts";
import { recogniseSheet } from "./detect-kind.ts";
import { composeExcerpts, type Excerpt } from "./excerpt.ts";
import { parseSheet } from "./sheet.ts";

/** Between two lines that stood below each other; JSON needs no mark. */
const BREAK = " | ";
/** Beyond this the beginning says enough of a text for one line. */
const MAX_CHARACTERS = 24_000;
/** One line does not take the room of all the others. */
const CUT_SHARE = 0.5;
const LEAST_CUT = 48;

export interface Digest {
  readonly text: string;
  /** Whether every line of the output is in it. */
  readonly isWhole: boolean;
}

/** An output in one line: all of it where it is short, otherwise the lines that say most of it: the first, the distinct, the odd. */
export function digestOutput(output: string, room: number): Digest {
  if (room < LEAST_CUT) return { text: "", isWhole: false };
  const sheet = parseSheet(output.slice(0, MAX_CHARACTERS));
  const separator = /^\s*[[{]/.test(output) ? " " : BREAK;
  const join = (lines: readonly string[]): string =>
    lines
      .map(toOneLine)
      .filter((line) => line !== "")
      .join(separator);
  const whole = output.length > room * 4 ? "" : join(sheet.lines);
  if (whole !== "" && whole.length <= room) return { text: whole, isWhole: true };
  const cut = Math.max(LEAST_CUT, Math.floor(room * CUT_SHARE));
  const excerpts = recogniseSheet(sheet, {})
    .outline(sheet, room, {})
    .map((excerpt): Excerpt => ({ ...excerpt, isUnlabelled: true, cut: Math.min(cut, excerpt.cut ?? cut) }));
  const lines = composeExcerpts(excerpts, sheet, room).split("\n");
  return { text: clipText(join(lines), room), isWhole: false };
}
