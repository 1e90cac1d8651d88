/** CSV by RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe in front; terminal control characters become blanks. */
export function renderCsv(rows: readonly (readonly (string | number | boolean | null)[])[]): string {
  return rows.map((cells) => `${cells.map(renderCell).join(",")}\n`).join("");
}

function renderCell(cell: string | number | boolean | null): string {
  if (typeof cell !== "string") return cell === null ? "" : String(cell);
  const plain = cell.replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, " ");
  const text = /^[=+\-@]/.test(plain.trimStart()) ? `'${plain}` : plain;
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
