import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";

export interface Column<Row> {
  readonly name: string;
  readonly render: (row: Row) => ComponentChild;
  /** Numbers stand right, so that their digits stand below each other. */
  readonly isNumber?: boolean;
  /** Left out where there is little room. */
  readonly isExtra?: boolean;
}

interface TableProperties<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** So many rows until more are asked for. */
  readonly most?: number;
}

/** The first column names the row. */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  most = rows.length,
}: TableProperties<Row>): ComponentChild {
  const [isWhole, showAll] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, most);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="table-frame" tabIndex={0} aria-label={caption}>
        <table>
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.name} scope="col" class={nameClass(column)}>
                  {column.name}
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
      {shown.length < rows.length && (
        <button type="button" class="more" onClick={() => showAll(true)}>
          Show all {rows.length}
        </button>
      )}
    </>
  );
}

function nameClass<Row>({ isNumber, isExtra }: Column<Row>): string {
  return [isNumber ? "number" : "", isExtra ? "extra" : ""].join(" ").trim();
}

/** A quantity beside its number: how much of the largest it is. */
export function Bar({ share }: { readonly share: number }): ComponentChild {
  const width = Math.max(0, Math.min(100, share * 100));
  return (
    <svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-rest" width="100" height="6" />
      <rect class="bar-part" width={width} height="6" />
    </svg>
  );
}
