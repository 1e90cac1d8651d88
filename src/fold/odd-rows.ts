import { splitWords } from "./split-words.ts";
import type { LineSurvey } from "./survey-lines.ts";
import { findTrouble } from "./trouble.ts";

/** A row as what stands in its columns, without line feeds; one that has no value for a column leaves it out. */
export type TableRow = ReadonlyMap<string, string>;

export interface OddRow {
  readonly row: number;
  /** 3: speaks of trouble; 2: a word, or nothing, where the others have one of a few; 1: a number of that sort. */
  readonly score: number;
}

const LEAST_ROWS = 8;
/** Among fewer, each is a thing of its own. */
const LEAST_ALIKE = 20;
/** Where more rows than this are odd, none is. */
const MANY_SHARE = 0.03;
/** A number is as telling as a word where there are hardly any others. */
const FEW_NUMBERS = 4;
/** A value is usual from this share of the rows on, odd up to the other; a column is worth looking at where nearly all are usual. */
const USUAL_SHARE = 0.02;
const ODD_SHARE = 0.01;
const COVERED_SHARE = 0.9;
/** Trouble on more rows than this is what the rows are about. */
const TROUBLE_SHARE = 0.3;
const MAX_CELL = 200;
/** Messages are looked into on so many rows; what a row's status says is seen on all. */
const MAX_SUSPECTS = 400;
const ABSENT = "\u0000";

/** The rows that differ from the others, those that speak of trouble first, otherwise as they come. */
export function findOddRows(rows: readonly TableRow[]): readonly OddRow[] {
  if (rows.length < LEAST_ROWS) return [];
  const scores = new Map<number, number>();
  const raise = (row: number, score: number): unknown => scores.set(row, Math.max(score, scores.get(row) ?? 0));
  for (const column of listColumns(rows)) {
    const cells = rows.map((row) => row.get(column) ?? ABSENT);
    for (const row of findTroubledCells(cells)) raise(row, 3);
    if (rows.length < LEAST_ALIKE) continue;
    const rare = findRareCells(cells) ?? findRareCells(cells.map(classify)) ?? [];
    const isTelling = rare.length > 0 && new Set(cells).size <= FEW_NUMBERS;
    for (const row of rare) raise(row, isNumber(cells[row]) && !isTelling ? 1 : 2);
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

/** `undefined` where the column does not hold one of a few values. */
function findRareCells(cells: readonly string[]): readonly number[] | undefined {
  const counts = new Map<string, number>();
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const usual = Math.max(3, Math.ceil(cells.length * USUAL_SHARE));
  let covered = 0;
  for (const count of counts.values()) if (count >= usual) covered += count;
  // Of a dozen rows one alone is more than a tenth.
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

/** What sort of thing it is, where every row has a value of its own. */
function classify(cell: string): string {
  if (cell === "" || cell === ABSENT || cell === "null") return cell;
  if (isNumber(cell)) return cell.startsWith("-") ? "-1" : "1";
  return "word";
}

function isNumber(cell = ""): boolean {
  return /^[-+]?\d/.test(cell);
}

/** Headers have a form of their own, and kinds show how a text begins anyway. */
const OPENING_LINES = 4;

/** At most so many of the lines that stand apart: first those that speak of trouble, last those a text begins with. */
export function listOdd(survey: LineSurvey, most: number): readonly number[] {
  const odd = Array.from({ length: survey.size }, (_, line) => line).filter(survey.isOdd);
  const rank = (line: number): number => (survey.troubleAt(line) ? 0 : line < OPENING_LINES ? 2 : 1);
  return odd.sort((one, other) => rank(one) - rank(other) || one - other).slice(0, most);
}
