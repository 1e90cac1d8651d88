import type { Json } from "../../core/json.ts";
import { isObject } from "../../core/json-fields.ts";

/** No tool's input is nested deeper; what is stays as it was stored. */
const MAX_DEPTH = 30;

/**
 * What a tool was called with, as lines to search and to count: a name and behind it the value, a text of several lines below
 * its name. It is stored as JSON, where a whole file is one line.
 */
export function renderReadableCall(stored: string): string {
  const input = parse(stored);
  const lines: string[] = [];
  return isObject(input) && putFields(Object.entries(input), lines, 1) ? lines.join("\n") : stored;
}

/** Names are not joined to paths: a long one would stand there once for each of its values. */
function putFields(fields: readonly (readonly [string, Json | undefined])[], lines: string[], depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  return fields.every(([name, value]) => {
    if (typeof value === "object" && value !== null) {
      lines.push(`${name}:`);
      const inner = Array.isArray(value)
        ? value.map((item: Json, index): [string, Json] => [`[${index}]`, item])
        : Object.entries(value);
      return putFields(inner, lines, depth + 1);
    }
    const text = typeof value === "string" ? value : JSON.stringify(value);
    lines.push(text.includes("\n") ? `${name}:\n${text}` : `${name}: ${text}`);
    return true;
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
