import type { Json } from "../../core/json.ts";

/** Every text inside a value, in order, however deep: what a call says, whatever its host calls the fields. */
export function collectStrings(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(collectStrings);
}
