import type { Json, JsonObject } from "../core/json.ts";

/** Deeper values are cyclic, or nothing that a model was meant to read. */
const MAX_DEPTH = 100;

/** Whether a value is what `JSON.stringify` gives back unchanged: no bytes, dates, functions, cycles. */
function isJson(value: unknown, depth = 0): value is Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  return isPlain(value) && Object.values(value).every((item) => item === undefined || isJson(item, depth + 1));
}

export function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value) && isJson(value);
}

/** Whether fields can be read of it at all. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !("toJSON" in value);
}
