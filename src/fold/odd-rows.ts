import { splitWords } from "./split-words.ts";
import type { LineSurvey } from "./survey-lines.ts";
import { findTrouble } from "./trouble.ts";

/** A row's values by column, without line feeds; missing values are left out. */
export type TableRow = ReadonlyMap<string, string>;

export interface OddRow {
  readonly row: number;
  /** 3: mentions trouble. 2: a word, or nothing, where other rows have one of a few words. 1: the same with a number. */
  readonly score: number;
}

const LEAST_ROWS = 8;
/** With fewer rows each is a thing of its own. */
const LEAST_ALIKE = 20;
/** If more rows than this are odd, none is. */
const MANY_SHARE = 0.03;
/** A rare number says as much as a word only if the column has at most this many different values. */
const FEW_NUMBERS = 4;
/** A value is usual from this share of rows, odd up to the other; a column is used only if nearly all its values are usual. */
const USUAL_SHARE = 0.02;
const ODD_SHARE = 0.01;
const COVERED_SHARE = 0.9;
/** If more rows than this mention trouble, trouble is what they are about. */
const TROUBLE_SHARE = 0.3;
const MAX_CELL = 200;
/** Messages are searched on at most this many rows; a row's status is read on all. */
const MAX_SUSPECTS = 400;
const ABSENT = "\u0000";

/** Rows that differ from the others: those that mention trouble first, otherwise in order. */
export function findOddRows(rows: readonly TableRow[]): readonly OddRow[] {
  if (rows.length < LEAST_ROWS) return [];
  const scores = new Map<number, number>();
  const raise = (row: number, score: number): unknown => scores.set(row, Math.max(score, scores.get(row) ?? 0));
  for (const column of listColumns(rows)) {
    const cells = rows.map((row) => row.get(column) ?? ABSENT);
    for (const row of findTroubledCells(cells)) raise(row, 3);
    if (rows.length < LEAST_ALIKE) continue;
    const rare = findRareCells(cells) ?? findRareCells(cells.map(classify)) ?? [];
    const isInformative = rare.length > 0 && new Set(cells).size <= FEW_NUMBERS;
    for (const row of rare) raise(row, isNumber(cells[row]) && !isInformative ? 1 : 2);
  }
  const most = Math.max(3, rows.length * MANY_SHARE);
  const isMany = [1, 2].map(
    (least) => [...scores.values()].filter((score) => score >= least && score < 3).length > most,
  );
  return [...scores]
    .map(([row, score]) => ({ row, score }))
    .filter(({ score }) => score === 3 || !isMany[score - 1])
    .sort((one, other) => other.score - one.score || one.row - other.row);
}

function listColumns(rows: readonly TableRow[]): ReadonlySet<string> {
  const columns = new Set<string>();
  for (const row of rows) for (const column of row.keys()) columns.add(column);
  return columns;
}

/** `undefined` if the column has more than a few different values. */
function findRareCells(cells: readonly string[]): readonly number[] | undefined {
  const counts = new Map<string, number>();
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const usual = Math.max(3, Math.ceil(cells.length * USUAL_SHARE));
  let covered = 0;
  for (const count of counts.values()) if (count >= usual) covered += count;
  // Of a dozen rows, a single one is already more than a tenth.
  if (covered < Math.min(cells.length * COVERED_SHARE, cells.length - 1)) return undefined;
  const most = Math.max(1, Math.floor(cells.length * ODD_SHARE));
  return cells.flatMap((cell, row) => ((counts.get(cell) ?? 0) <= most ? [row] : []));
}

function findTroubledCells(cells: readonly string[]): readonly number[] {
  const known = new Map<string, boolean>();
  const rows: number[] = [];
  const { suspects } = splitWords(cells.join("\n"), cells.length);
  for (const [row, cell] of cells.entries()) {
    if (suspects[row] !== 1) continue;
    let isTrouble = known.get(cell);
    if (isTrouble === undefined) {
      isTrouble = known.size < MAX_SUSPECTS && findTrouble(cell.slice(0, MAX_CELL)) !== undefined;
      known.set(cell, isTrouble);
    }
    if (isTrouble) rows.push(row);
  }
  return rows.length > cells.length * TROUBLE_SHARE ? [] : rows;
}

/** The type of a value, for columns in which every row has its own. */
function classify(cell: string): string {
  if (cell === "" || cell === ABSENT || cell === "null") return cell;
  if (isNumber(cell)) return cell.startsWith("-") ? "-1" : "1";
  return "word";
}

function isNumber(cell = ""): boolean {
  return /^[-+]?\d/.test(cell);
}

/** Headers have a form of their own, and kinds show the beginning of a text anyway. */
const OPENING_LINES = 4;

/** At most `most` odd lines: those that mention trouble first, those from the text's beginning last. */
export function listOdd(survey: LineSurvey, most: number): readonly number[] {
  const odd = Array.from({ length: survey.size }, (_, line) => line).filter(survey.isOdd);
  const rank = (line: number): number => (survey.troubleAt(line) ? 0 : line < OPENING_LINES ? 2 : 1);
  return odd.sort((one, other) => rank(one) - rank(other) || one - other).slice(0, most);
}
