import type { JsonObject } from "../../core/json.ts";

/** `undefined` where it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * For values out of `parseJson`, and nothing else: whatever a parser gives is JSON, however deep it is, and although a number may have
 * become infinite. What is refused here would be handed on unread.
 */
export function isParsedObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
