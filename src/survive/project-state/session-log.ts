import { toOneLine } from "../../core/clip-text.ts";
import { openSlot } from "./entry-log.ts";
import { parseStamp, renderStamp } from "./stamp.ts";

/** One session in one line. */
export interface SessionLine {
  readonly atMs: number | undefined;
  readonly text: string;
}

const LINE = /^\[([^\]\n]{1,30})\] — ([^\n]*)$/;

export function parseSessionLog(text: string): readonly SessionLine[] {
  return text.split("\n").flatMap((line) => {
    const [, stamp, words] = LINE.exec(line.trimEnd()) ?? [];
    return stamp === undefined || words === undefined ? [] : [{ atMs: parseStamp(stamp), text: words }];
  });
}

/** Appends a line; the same words as the last line say nothing new. */
export function appendSessionLine(text: string, summary: string, atMs: number): string {
  const words = toOneLine(summary);
  const lines = parseSessionLog(text);
  if (words === "" || lines.at(-1)?.text === words) return text;
  const start = lines.length > 0 ? (text.endsWith("\n") ? text : `${text}\n`) : openSlot(text, "Session Log");
  return `${start}[${renderStamp(atMs)}] — ${words}\n`;
}
