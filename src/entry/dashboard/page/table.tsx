import { type ComponentChild, Fragment } from "preact";
import { useState } from "preact/hooks";
import { renderCsv } from "../../../core/render-csv.ts";
import type { MissedUsd } from "../../../measure/cache-miss.ts";
import { renderLowerUsd } from "./format.ts";
import { Panel } from "./states.tsx";

export interface TableColumn<Row> {
  readonly name: string;
  readonly render: (row: Row) => ComponentChild;
  /** Aligned right, so that digits line up. */
  readonly isNumber?: boolean;
  /** Left out on a narrow screen. */
  readonly isExtra?: boolean;
  /** Only in a saved file: there is no room for it on the page. */
  readonly isOnlySaved?: boolean;
  /** What a click on the column's name sorts by: the largest number first, words from A. */
  readonly sortBy?: (row: Row) => number | string;
}

/** The column that rows are sorted by; without one they keep their order. */
interface Order {
  readonly column: string;
  readonly isReversed: boolean;
}

interface TableProperties<Row> {
  readonly caption: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Rows shown until more are asked for. */
  readonly most?: number;
  /** The column they are sorted by at first. */
  readonly sorted?: string;
  /** What is shown below a row, if anything. */
  readonly below?: (row: Row) => ComponentChild;
}

export function Table<Row>({ most, sorted, ...table }: TableProperties<Row>): ComponentChild {
  const { columns, rows } = table;
  const least = most ?? rows.length;
  const [shownCount, show] = useState(least);
  const [order, sort] = useState<Order | undefined>(
    sorted === undefined ? undefined : { column: sorted, isReversed: false },
  );
  // A second click on a column's name reverses its order.
  const flip = (column: string): void => sort({ column, isReversed: order?.column === column && !order.isReversed });
  const shown = arrange(rows, columns, order).slice(0, Math.max(least, shownCount));
  return (
    <>
      <Grid {...table} rows={shown} order={order} onSort={flip} />
      <KeepTable {...table} />
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

interface GridProperties<Row> extends Omit<TableProperties<Row>, "most" | "sorted"> {
  readonly order: Order | undefined;
  /** Called with the name of a column that can be sorted by. */
  readonly onSort: (column: string) => void;
}

/** A table in a frame that scrolls. The first column names the row. */
function Grid<Row>({ caption, rows, keyOf, order, onSort, below, ...table }: GridProperties<Row>): ComponentChild {
  const columns = table.columns.filter(({ isOnlySaved }) => !isOnlySaved);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
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
                  <button type="button" class="sort" onClick={() => onSort(column.name)}>
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
          {rows.map((row) => {
            const opened = below?.(row);
            return (
              <Fragment key={keyOf(row)}>
                <tr>
                  {columns.map((column, index) => {
                    const [Cell, scope] = index === 0 ? (["th", "row"] as const) : (["td", undefined] as const);
                    return (
                      <Cell key={column.name} scope={scope} class={nameClass(column)}>
                        {column.render(row)}
                      </Cell>
                    );
                  })}
                </tr>
                {opened && (
                  <tr class="opened">
                    <td colSpan={columns.length}>{opened}</td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

const STEP = 40;

type KeepProperties<Row> = Pick<TableProperties<Row>, "caption" | "rows" | "columns">;

/** Saves every row of a table as a file. */
function KeepTable<Row>({ caption, rows, columns }: KeepProperties<Row>): ComponentChild {
  const name = caption.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return (
    <p class="keep">
      Save all {rows.length} rows as{" "}
      <button type="button" onClick={() => saveFile(`${name}.csv`, "text/csv", toCsv(rows, columns))}>
        CSV<span class="unseen">: {caption}</span>
      </button>{" "}
      <button type="button" onClick={() => saveFile(`${name}.json`, "application/json", toJson(rows, columns))}>
        JSON<span class="unseen">: {caption}</span>
      </button>
    </p>
  );
}

/** Offers a text as a download; nothing leaves the machine. */
export function saveFile(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The plain value of a cell: what the column is sorted by, else the text that it shows. */
function cellOf<Row>({ sortBy, render }: TableColumn<Row>, row: Row): number | string | null {
  const value = sortBy ? sortBy(row) : render(row);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return typeof value === "string" ? value : "";
}

/** Every row, including those not shown yet, as one object each. */
export function toJson<Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[]): string {
  const objects = rows.map((row) => Object.fromEntries(columns.map((column) => [column.name, cellOf(column, row)])));
  return `${JSON.stringify(objects, undefined, 2)}\n`;
}

export function toCsv<Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[]): string {
  return renderCsv([
    columns.map(({ name }) => name),
    ...rows.map((row) => columns.map((column) => cellOf(column, row))),
  ]);
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

/** Numbers are sorted largest first, words from A. */
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

/** A figure with a bar for its share of the largest, or of what the title says; the bar is broken if it exceeds the whole. */
export function withBar(figure: string, share: number, title?: string): ComponentChild {
  return (
    <>
      {figure}
      <svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        {title !== undefined && <title>{title}</title>}
        <rect class="bar-rest" width="100" height="6" />
        <rect class="bar-part" width={Math.max(0, Math.min(100, share * 100))} height="6" />
        {share > 1 && <path class="bar-break" d="M84 6 L88 0 H93 L89 6 Z" />}
      </svg>
    </>
  );
}

export function countColumn<Row>(
  name: string,
  take: (row: Row) => number,
  render: (value: number, row: Row) => ComponentChild,
  isExtra = false,
): TableColumn<Row> {
  return { name, render: (row) => render(take(row), row), sortBy: take, isNumber: true, isExtra };
}

export function costColumn<Row extends Pick<MissedUsd, "isAtLeast">>(take: (row: Row) => number): TableColumn<Row> {
  return countColumn("Cost", take, (usd, { isAtLeast }) => renderLowerUsd(usd, isAtLeast));
}

/** The longest bar is that of the largest value. */
export function barColumn<Row>(
  name: string,
  rows: readonly Row[],
  take: (row: Row) => number,
  render: (value: number, row: Row) => string,
): TableColumn<Row> {
  const most = rows.reduce((largest, row) => Math.max(largest, take(row)), 1e-9);
  return countColumn(name, take, (value, row) => withBar(render(value, row), value / most));
}

interface TableSectionProperties<Row> extends TableProperties<Row> {
  readonly id: string;
  readonly title: string;
  /** Shown instead of a table without rows. */
  readonly quiet?: string;
  readonly note?: ComponentChild;
}

export function TableSection<Row>({ id, title, quiet, note, ...table }: TableSectionProperties<Row>): ComponentChild {
  return (
    <Panel id={id} title={title}>
      {quiet !== undefined && table.rows.length === 0 ? (
        <p class="quiet">{quiet}</p>
      ) : (
        <>
          {note}
          <Table {...table} />
        </>
      )}
    </Panel>
  );
}
