import type { Json } from "../../src/core/json.ts";

/** How a program writes JSON: what it leaves between the tokens, how it orders the keys, whether it keeps to ASCII. */
export interface JsonStyle {
  readonly colon: string;
  readonly comma: string;
  readonly order: "kept" | "sorted" | "reversed";
  readonly isAscii: boolean;
}

/** The same value in another program's hand: `JSON.parse` cannot tell the two apart. */
export function reserialise(value: Json, style: JsonStyle): string {
  if (typeof value === "string") return writeText(value, style);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => reserialise(item, style)).join(style.comma)}]`;
  const entries = orderEntries(
    Object.entries(value).flatMap(([key, field]): [string, Json][] => (field === undefined ? [] : [[key, field]])),
    style.order,
  );
  const fields = entries.map(([key, field]) => `${writeText(key, style)}${style.colon}${reserialise(field, style)}`);
  return `{${fields.join(style.comma)}}`;
}

function orderEntries(entries: [string, Json][], order: JsonStyle["order"]): readonly (readonly [string, Json])[] {
  if (order === "kept") return entries;
  return order === "sorted" ? entries.sort(([left], [right]) => (left < right ? -1 : 1)) : entries.reverse();
}

function writeText(text: string, { isAscii }: JsonStyle): string {
  const written = JSON.stringify(text);
  if (!isAscii) return written;
  return written.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
