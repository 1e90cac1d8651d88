import type { Json, JsonObject } from "../core/json.ts";

/** Deeper values are cyclic, or not meant for a model. */
const MAX_DEPTH = 100;

/** Whether `JSON.stringify` preserves a value: no bytes, dates, functions, cycles. */
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

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !("toJSON" in value);
}
