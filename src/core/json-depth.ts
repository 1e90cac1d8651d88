import type { Json } from "./json.ts";
import { isObject } from "./json-fields.ts";

/** No record is nested so deep, and what comes after walks it by recursion. */
export const MAX_DEPTH = 500;

/** Asked of every line, so it makes nothing on its way. */
export function isDeeperThan(levels: number, value: Json | undefined): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (isObject(value)) {
    for (const key in value) if (isDeeperThan(levels - 1, value[key])) return true;
    return false;
  }
  for (const inner of value) if (isDeeperThan(levels - 1, inner)) return true;
  return false;
}
