import type { JsonObject } from "../core/json.ts";

/** Where originals lie, and the command that shows them. */
const PLACES = [".plimsoll/artifacts", ".plimsoll\\artifacts", "plimsoll artifacts", "plimsoll:"] as const;

/** Whether a call asks for an original that was folded away: to fold the answer again would keep it for ever out of reach. */
export function isRecall(tool: string, input: JsonObject): boolean {
  if (/plimsoll/i.test(tool)) return true;
  return ["file_path", "filePath", "path", "command", "pattern", "glob"].some((field) => {
    const value = input[field];
    return typeof value === "string" && PLACES.some((place) => value.includes(place));
  });
}
