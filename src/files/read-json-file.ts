import type { JsonObject } from "../core/json.ts";
import { isObject } from "../core/json-fields.ts";
import { readRegularFile } from "./read-regular-file.ts";

/** The object that a file holds; an empty one where it holds none, or more than so many bytes. */
export function readJsonFile(file: string, maxBytes: number): JsonObject {
  try {
    const parsed: unknown = JSON.parse(readRegularFile(file, maxBytes) ?? "");
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
