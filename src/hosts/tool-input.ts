import type { JsonObject } from "../core/json.ts";
import { isObject, listField, numberField, textField } from "../core/json-fields.ts";
import type { LineRange } from "../session/action.ts";

/** The lines of a file that a call asks for, by where they begin and how many they are; `undefined` for all of it. */
export function parseRange(input: JsonObject): LineRange | undefined {
  const offset = numberField(input, "offset");
  const count = numberField(input, "limit");
  if (offset === undefined && count === undefined) return undefined;
  const first = Math.max(1, Math.floor(offset ?? 1));
  return { first, last: count === undefined ? Number.MAX_SAFE_INTEGER : first + Math.max(1, Math.floor(count)) - 1 };
}

/** What a call asks the person. */
export function listQuestions(input: JsonObject): readonly string[] {
  return listField(input, "questions")
    .filter(isObject)
    .map((question) => textField(question, "question"));
}
