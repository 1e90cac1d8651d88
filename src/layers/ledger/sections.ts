import { isObject } from "../../core/json.ts";

/** Several texts under one handle: `plimsoll:1a2b3c4d5e6f#12` is section 12. They begin with this line, so that no ordinary original is taken for them. */
const HEADING = "plimsoll sections 1\n";

export function renderSections(sections: readonly (readonly [name: string, text: string])[]): string {
  return HEADING + JSON.stringify(Object.fromEntries(sections));
}

/** The sections of a stored text by name; `undefined` if it has none. */
export function parseSections(text: string): ReadonlyMap<string, string> | undefined {
  if (!text.startsWith(HEADING)) return undefined;
  try {
    const value: unknown = JSON.parse(text.slice(HEADING.length));
    if (!isObject(value)) return undefined;
    const entries = Object.entries(value);
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return undefined;
  }
}
