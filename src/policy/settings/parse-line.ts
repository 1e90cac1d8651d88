/** What the client's own prompt and tools weigh, with a little room to work in: a line below it could never be kept. */
const LEAST_LINE_TOKENS = 40_000;
const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1000, m: 1_000_000 };

/** A number of tokens as a person writes it (`120000`, `"120k"`, `"0.5M"`), or in words what to write instead. */
export function parseLine(value: unknown): number | string {
  const tokens = typeof value === "number" ? value : typeof value === "string" ? parseText(value) : Number.NaN;
  if (!Number.isFinite(tokens)) return 'write a number of tokens, such as 120000 or "120k"';
  if (tokens < LEAST_LINE_TOKENS)
    return `write ${LEAST_LINE_TOKENS} or more: less is what the client's own prompt and tools take`;
  return Math.round(tokens);
}

function parseText(text: string): number {
  const [, digits, unit = ""] = /^\s*(\d{1,9}(?:\.\d{1,6})?)\s*([km]?)\s*$/i.exec(text) ?? [];
  return digits === undefined ? Number.NaN : Number(digits) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
}
