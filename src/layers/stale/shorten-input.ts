import type { Json, JsonObject } from "../../core/json.ts";

/** An input whose large values have given way to a note; the identical object where none is large. */
export function shortenInput(
  input: JsonObject,
  { maxCharacters, note }: { readonly maxCharacters: number; readonly note: string },
): JsonObject {
  const isLarge = (value: Json | undefined): boolean => measure(value) > maxCharacters;
  if (!Object.values(input).some(isLarge)) return input;
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, isLarge(value) ? note : value]));
}

function measure(value: Json | undefined): number {
  return typeof value === "string" ? value.length : (JSON.stringify(value)?.length ?? 0);
}
