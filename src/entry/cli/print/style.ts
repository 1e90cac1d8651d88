import { clipText } from "../../../core/clip-text.ts";
import type { Level } from "../../../measure/level.ts";
import { noteAtLeast } from "../../person/labels.ts";
import type { Terminal } from "../command.ts";

export { renderTokens } from "../../../measure/render-load.ts";
export { renderLowerUsd, renderUsd } from "../../../models/economics/render-usd.ts";

type Tone = "bold" | "dim" | "green" | "yellow" | "orange" | "red";

const CODES: Readonly<Record<Tone, string>> = {
  bold: "1",
  dim: "2",
  green: "32",
  yellow: "33",
  orange: "38;5;208",
  red: "31",
};

export function paint(terminal: Terminal, tone: Tone, text: string): string {
  return terminal.hasColour ? `\u001b[${CODES[tone]}m${text}\u001b[0m` : text;
}

const LEVEL_TONES: Readonly<Record<Level, Tone>> = { GREEN: "green", YELLOW: "yellow", ORANGE: "orange", RED: "red" };

export function paintLevel(terminal: Terminal, level: Level, text: string = level): string {
  return paint(terminal, LEVEL_TONES[level], text);
}

export function renderPercent(share: number): string {
  return `${(share * 100).toFixed(share < 0.0995 ? 1 : 0)} %`;
}

/** Joins lines; a condition that does not hold leaves none. */
export function joinLines(...lines: readonly (string | false | undefined | readonly string[])[]): string {
  return lines
    .flat()
    .filter((line) => line !== false && line !== undefined)
    .join("\n");
}

/** Makes text from a transcript safe for a terminal: no escapes, control characters or line breaks. */
export function renderSafely(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, " ").trim();
}

/** A shorter name says nothing, so a table that is too wide is better. */
const LEAST_NAME = 12;

/** Numbers are aligned right, words left. If the table is too wide, the names in the first column are cut. */
export function renderTable(rows: readonly (readonly string[])[], columns: number = Number.POSITIVE_INFINITY): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  const [first = 0, ...others] = widths;
  const left = columns - others.reduce((sum, width) => sum + width + 2, 0);
  const nameWidth = Math.max(Math.min(first, LEAST_NAME), Math.min(first, left));
  return rows
    .map((row) =>
      row
        .map((cell, index) =>
          index === 0 ? clipText(cell, nameWidth).padEnd(nameWidth) : cell.padStart(widths[index] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** JSON for scripts; unknown values are `null`. Pure ASCII, so that no locale can garble it and no control character reaches a terminal. */
export function renderJson(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) => (field === undefined ? null : field), 2).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Headings in texts for a model: Markdown's, and lines that begin with a symbol. */
const HEADING = /^(?:#{1,6} |═|[^\p{ASCII}…] ?\p{Lu})/u;

/** Shows a text for a model on a person's terminal: without control characters, headings in bold. */
export function renderPage(text: string, terminal: Terminal): string {
  return text
    .split("\n")
    .map((line) => {
      const shown = `${line.slice(0, line.search(/\S|$/))}${renderSafely(line)}`;
      return HEADING.test(shown) ? paint(terminal, "bold", shown) : shown;
    })
    .join("\n");
}

/** Marks a figure in a table as a lower bound; sentences say "at least". */
export function markAtLeast(isAtLeast: boolean, figure: string): string {
  return isAtLeast ? `\u2265${figure}` : figure;
}

export function footnoteAtLeast(unfinalRequests: number, unpricedRequests: number): readonly string[] {
  return noteAtLeast(unfinalRequests, unpricedRequests).map((note) => markAtLeast(true, ` ${note}`));
}
