/** Rows of cells as RFC 4180 writes them. A text that a spreadsheet would take for a formula gets an apostrophe in front. */
export function renderCsv(rows: readonly (readonly (string | number | boolean | null)[])[]): string {
  return rows.map((cells) => `${cells.map(renderCell).join(",")}\r\n`).join("");
}

function renderCell(cell: string | number | boolean | null): string {
  if (typeof cell !== "string") return cell === null ? "" : String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
