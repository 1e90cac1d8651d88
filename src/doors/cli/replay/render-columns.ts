import type { Terminal } from "../command.ts";
import { renderTable } from "../style.ts";

export interface Column<T> {
  readonly title: string;
  cell(row: T): string;
}

const NOT_TOLD = "-";
const GAP = 2;

/** As many columns as the terminal is wide enough for, in their order: the first say most. */
export function renderColumns<T>(columns: readonly Column<T>[], rows: readonly T[], terminal: Terminal): string {
  const told = columns.map(({ title, cell }) => [title, ...rows.map(cell)]);
  let width = -GAP;
  const shown = told.filter((cells) => {
    width += GAP + Math.max(...cells.map((cell) => cell.length));
    return width <= terminal.columns;
  });
  return renderTable(["header", ...rows].map((_, row) => shown.map((cells) => cells[row] ?? "")));
}

export function renderRatio(ratio: number | undefined, digits = 3): string {
  return ratio === undefined ? NOT_TOLD : ratio.toFixed(digits);
}

export function renderInterval(
  interval: { readonly low: number; readonly high: number } | undefined,
  digits = 3,
): string {
  return interval ? `${renderRatio(interval.low, digits)}-${renderRatio(interval.high, digits)}` : NOT_TOLD;
}

export function renderShareCell(share: number | undefined): string {
  return share === undefined ? NOT_TOLD : `${(share * 100).toFixed(share < 0.0995 ? 2 : 1)} %`;
}

export function renderNumber(value: number | undefined, digits = 0): string {
  return value === undefined ? NOT_TOLD : value.toFixed(digits);
}
