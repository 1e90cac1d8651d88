import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import { renderCsv } from "../../../core/render-csv.ts";

export interface TableColumn<Row> {
  readonly name: string;
  readonly render: (row: Row) => ComponentChild;
  /** Numbers stand right, so that their digits stand below each other. */
  readonly isNumber?: boolean;
  /** Left out where there is little room. */
  readonly isExtra?: boolean;
  /** What rows are put in order by when the column's name is clicked: numbers the largest first, words from A on. */
  readonly sortBy?: (row: Row) => number | string;
}

/** The column that rows stand in the order of; none where they stand as they came. */
interface Order {
  readonly column: string;
  readonly isReversed: boolean;
}

interface TableProperties<Row> {
  readonly caption: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** So many rows until more are asked for. */
  readonly most?: number;
  /** The column by which they stand at first. */
  readonly sorted?: string;
}

/** The first column names the row. */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  most = rows.length,
  sorted,
}: TableProperties<Row>): ComponentChild {
  const [shownCount, show] = useState(most);
  const [order, sort] = useState<Order | undefined>(
    sorted === undefined ? undefined : { column: sorted, isReversed: false },
  );
  const shown = arrange(rows, columns, order).slice(0, Math.max(most, shownCount));
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="table-frame" tabIndex={0} aria-label={caption}>
        <table>
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th
                  key={column.name}
                  scope="col"
                  class={nameClass(column)}
                  aria-sort={describeOrder(column, rows, order)}
                >
                  {column.sortBy ? (
                    <button type="button" class="sort" onClick={() => sort(flip(column.name, order))}>
                      {column.name}
                    </button>
                  ) : (
                    column.name
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={keyOf(row)}>
                {columns.map((column, index) =>
                  index === 0 ? (
                    <th key={column.name} scope="row" class={nameClass(column)}>
                      {column.render(row)}
                    </th>
                  ) : (
                    <td key={column.name} class={nameClass(column)}>
                      {column.render(row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <KeepTable caption={caption} rows={rows} columns={columns} />
      {shown.length < rows.length && (
        <p class="more">
          {rows.length - shown.length > STEP && (
            <button type="button" onClick={() => show(shown.length + STEP)}>
              Show {STEP} more
            </button>
          )}{" "}
          <button type="button" onClick={() => show(rows.length)}>
            Show all {rows.length}
          </button>
        </p>
      )}
    </>
  );
}

const STEP = 40;

interface KeptTable<Row> {
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly columns: readonly TableColumn<Row>[];
}

/** Every row of a table as a file. */
export function KeepTable<Row>({ caption, rows, columns }: KeptTable<Row>): ComponentChild {
  return (
    <p class="keep">
      Keep all {rows.length} as{" "}
      <button type="button" onClick={() => saveFile(`${fileName(caption)}.csv`, "text/csv", toCsv(rows, columns))}>
        CSV<span class="unseen">: {caption}</span>
      </button>{" "}
      <button
        type="button"
        onClick={() => saveFile(`${fileName(caption)}.json`, "application/json", toJson(rows, columns))}
      >
        JSON<span class="unseen">: {caption}</span>
      </button>
    </p>
  );
}

/** Hands a text to the browser as a file to keep; nothing leaves the machine. */
export function saveFile(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function fileName(caption: string): string {
  return caption.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}

/** What a cell says without its looks: what the column is sorted by, else the text that it shows. */
function cellOf<Row>({ sortBy, render }: TableColumn<Row>, row: Row): number | string | null {
  const value = sortBy ? sortBy(row) : render(row);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return typeof value === "string" ? value : "";
}

/** Every row, also those that are not shown yet, as one object each. */
export function toJson<Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[]): string {
  const objects = rows.map((row) => Object.fromEntries(columns.map((column) => [column.name, cellOf(column, row)])));
  return `${JSON.stringify(objects, undefined, 2)}\n`;
}

export function toCsv<Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[]): string {
  const lines = [columns.map(({ name }) => name), ...rows.map((row) => columns.map((column) => cellOf(column, row)))];
  return renderCsv(lines);
}

/** A second click on a column's name reverses its order. */
function flip(column: string, before: Order | undefined): Order {
  return { column, isReversed: before?.column === column && !before.isReversed };
}

function describeOrder<Row>(
  { name, sortBy }: TableColumn<Row>,
  rows: readonly Row[],
  order: Order | undefined,
): "ascending" | "descending" | undefined {
  if (order?.column !== name) return undefined;
  return isLargestFirst(rows, sortBy) === order.isReversed ? "ascending" : "descending";
}

export function arrange<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  order: Order | undefined,
): readonly Row[] {
  const { sortBy } = columns.find(({ name }) => name === order?.column) ?? {};
  if (!sortBy) return rows;
  const sign = isLargestFirst(rows, sortBy) === (order?.isReversed === true) ? 1 : -1;
  return [...rows].sort((left, right) => sign * compare(sortBy(left), sortBy(right)));
}

/** Of numbers the largest is wanted first, of words the first. */
function isLargestFirst<Row>(rows: readonly Row[], sortBy: TableColumn<Row>["sortBy"]): boolean {
  const [first] = rows;
  return first !== undefined && typeof sortBy?.(first) === "number";
}

function compare(left: number | string, right: number | string): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return String(left).localeCompare(String(right), "en", { sensitivity: "base", numeric: true });
}

function nameClass<Row>({ isNumber, isExtra }: TableColumn<Row>): string {
  return [isNumber ? "number" : "", isExtra ? "extra" : ""].join(" ").trim();
}

/** A quantity beside its number: how much it is of the largest, or of what the title says; broken where it is more than all of it. */
export function Bar({ share, title }: { readonly share: number; readonly title?: string }): ComponentChild {
  const width = Math.max(0, Math.min(100, share * 100));
  return (
    <svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      {title !== undefined && <title>{title}</title>}
      <rect class="bar-rest" width="100" height="6" />
      <rect class="bar-part" width={width} height="6" />
      {share > 1 && <path class="bar-break" d="M84 6 L88 0 H93 L89 6 Z" />}
    </svg>
  );
}

/** A piece of text, or the name of a character that would not be seen or would change what is. */
type TextPiece = { readonly text: string } | { readonly hidden: string };

// Controls without tab and line feed, then what joins, parts or reverses text without being seen.
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is made visible
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Splits a text so that every character that hides or turns others is told by its name. */
export function splitHidden(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    // A carriage return before a line feed is a line end and nothing else.
    if (character === "\r" && text[index + 1] === "\n") {
      pieces.push({ text: text.slice(from, index) });
    } else pieces.push({ text: text.slice(from, index) }, { hidden: nameCharacter(character) });
    from = index + 1;
  }
  pieces.push({ text: text.slice(from) });
  return pieces.filter((piece) => "hidden" in piece || piece.text !== "");
}

/** White space that is seen becomes one blank; what is not seen stays, to be told by its name. */
export function showOneLine(text: string): string {
  return text.replace(/[ \t\n]+|\r\n/g, " ");
}

/** On one line, for attributes and drawings: names in place of the characters themselves. */
export function renderVisible(text: string): string {
  return splitHidden(showOneLine(text))
    .map((piece) => ("hidden" in piece ? piece.hidden : piece.text))
    .join("");
}

const CONTROLS =
  "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US".split(
    " ",
  );

function nameCharacter(character: string): string {
  const code = character.charCodeAt(0);
  return CONTROLS[code] ?? (code === 0x7f ? "DEL" : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`);
}
