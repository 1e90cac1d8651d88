import { type Excerpt, HEAD } from "../excerpt.ts";
import { extensionOf } from "../hint.ts";
import { type Kind, shareOf } from "../kind.ts";
import { findOddRows } from "../odd-rows.ts";

/** Rows under a header: CSV, TSV, database clients, aligned columns, standalone Markdown tables. */
export const tableKind: Kind = {
  name: "table",
  recognise({ lines }, hint) {
    if (/^[ct]sv$/.test(extensionOf(hint))) return 0.95;
    if (lines.length < 4) return 0;
    if (shareOf(lines, /^\s*\|.*\|\s*$|\s\|\s/, 0.8) > 0) return 0.8;
    const separator = [",", "\t", ";"].find((mark) => isRegular(lines, mark));
    if (separator !== undefined) return 0.75;
    return hasColumns(lines) ? 0.6 : 0;
  },
  outline({ lines, isPartial }) {
    const rows = lines.flatMap((text, line) => (text.trim() === "" || RULE.test(text) ? [] : [{ line, text }]));
    const [header] = rows;
    if (!header) return [];
    const mark = MARKS.find((candidate) => header.text.includes(candidate));
    const split = createSplit(header.text, mark);
    const secret = split(header.text).flatMap((name, index) => (SECRET_COLUMN.test(name) ? [index] : []));
    const odd = new Map(
      findOddRows(rows.slice(1).map(({ text }) => new Map(split(text).map((cell, index) => [String(index), cell]))))
        .slice(0, MAX_ODD)
        .map(({ row, score }) => [row + 1, ODD_WEIGHTS[score] ?? 0]),
    );
    const remark = { line: HEAD, text: `${isPartial ? "at least " : ""}${rows.length - 1} rows`, weight: 98 };
    const stride = Math.max(1, Math.floor(rows.length / 12));
    return [
      remark,
      ...rows.map(({ line, text }, index): Excerpt => {
        const plain =
          index === 0 ? 100 : index <= 3 ? 72 - index : index >= rows.length - 2 ? 60 : index % stride === 0 ? 40 : 12;
        const isMasked = secret.length > 0 && index > 0 && mark !== undefined;
        return {
          line,
          text: isMasked ? maskColumns(text, mark, secret) : text,
          weight: Math.max(plain, odd.get(index) ?? 0),
        };
      }),
    ];
  },
};

const MAX_ODD = 8;
const MAX_CELL = 200;
const ODD_WEIGHTS = [0, 66, 92, 94] as const;
const MARKS = ["|", "\t", ",", ";"] as const;
const RULE = /^[\s|+:=-]{3,}$/;
const SECRET_COLUMN = /passw|secret|token|api_?key|credential/i;

/** Splits rows as the header is divided: by a separator, or where its words begin. */
function createSplit(header: string, mark: string | undefined): (row: string) => readonly string[] {
  if (mark !== undefined) return (row) => row.split(mark).map((cell) => cell.trim().slice(0, MAX_CELL));
  const starts = [0, ...findStarts(header)];
  return (row) => {
    // A long cell shifts the others, so split at gaps if their number is right.
    const cells = row.trim().split(/\s{2,}/);
    if (cells.length === starts.length) return cells;
    return starts.map((from, index) => row.slice(from, starts[index + 1]).trim());
  };
}

function maskColumns(row: string, mark: string, columns: readonly number[]): string {
  return row
    .split(mark)
    .map((cell, index) => (columns.includes(index) ? "[REDACTED]" : cell))
    .join(mark);
}

/** The same number of separators, at least two, on nearly every line, and cells too short to be sentences. */
function isRegular(lines: readonly string[], mark: string): boolean {
  const expected = (lines[0] ?? "").split(mark).length;
  if (expected < 3) return false;
  const regular = lines.filter((line) => Math.abs(line.split(mark).length - expected) <= 0).length;
  return regular / lines.length > 0.9 && !/[{};]\s*$/.test(lines[0] ?? "");
}

/** A first line of capitals or widely spaced words, and lines below it that break at the same columns. */
function hasColumns(lines: readonly string[]): boolean {
  const [header = ""] = lines;
  const starts = findStarts(header);
  if (starts.length < 2 || !/^[A-Z][A-Z0-9 _/%-]+$/.test(header.trim())) return false;
  const fitting = lines.slice(1, 20).filter((line) => starts.filter((at) => line[at - 1] === " ").length >= 2).length;
  return fitting >= Math.min(19, lines.length - 1) * 0.7;
}

/** Where words begin that are separated by two spaces or more. */
function findStarts(header: string): readonly number[] {
  return [...header.matchAll(/\s{2,}(?=\S)/g)].map((match) => (match.index ?? 0) + match[0].length);
}
