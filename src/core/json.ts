/** Parsed JSON that is carried through untouched. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** `undefined` if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Guards for values that came out of `JSON.parse`: every field is optional until seen, and a wrong type counts as absent. */

/** The object in a JSON text; empty if there is none. */
export function parseObject(text: string): JsonObject {
  const value = parseJson(text);
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectField(object: JsonObject, key: string): JsonObject | undefined {
  const value = object[key];
  return isObject(value) ? value : undefined;
}

export function textField(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === "string" ? value : "";
}

export function numberField(object: JsonObject, key: string): number | undefined {
  const value = object[key];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** A token count: anything but a finite number of at least zero counts as 0. */
export function countField(object: JsonObject, key: string): number {
  const value = numberField(object, key);
  return value !== undefined && value > 0 ? value : 0;
}

export function listField(object: JsonObject, key: string): readonly Json[] {
  const value = object[key];
  return Array.isArray(value) ? value : [];
}

export function textListField(object: JsonObject, key: string): readonly string[] {
  return listField(object, key).filter((item) => typeof item === "string");
}

export function timeField(object: JsonObject, key: string): number | undefined {
  const atMs = Date.parse(textField(object, key));
  return Number.isNaN(atMs) ? undefined : atMs;
}

/** No real record is nested this deep, and later code walks it by recursion. */
export const MAX_DEPTH = 500;

/** Called for every line, so it allocates nothing. */
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
