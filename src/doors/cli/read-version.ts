import { readFileSync } from "node:fs";
import { isObject, textField } from "../../core/json.ts";

/** The package's own description lies one or two folders up, for the bundle and for the plain modules. */
export function readVersion(): string {
  for (const place of ["../package.json", "../../../package.json"]) {
    try {
      const description: unknown = JSON.parse(readFileSync(new URL(place, import.meta.url), "utf8"));
      if (isObject(description) && description.name === "plimsoll") return textField(description, "version");
    } catch {
      // Not there: try the next.
    }
  }
  return "unknown";
}
