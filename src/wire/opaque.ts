import type { Identify, ParsedBlock, ParsedMessage } from "./conversation.ts";
import { isJsonObject, isRecord } from "./is-json.ts";

/** Fields about how something is sent, not its content: they change from request to request. */
const MARKINGS: ReadonlySet<string> = new Set(["cache_control", "cacheControl"]);
const SAMPLE_BYTES = 32;

/** Anything unknown: it stays where it is, as it came. */
export function parseOpaque(raw: unknown, identify: Identify): ParsedBlock {
  const type = isRecord(raw) && typeof raw.type === "string" ? raw.type : "";
  const id = identify({ kind: "opaque", content: renderIdentity(raw) });
  return { block: { kind: "opaque", id, type, raw: isJsonObject(raw) ? raw : { type } }, raw };
}

/** A message of an unknown shape or role. As a system message it does not separate a call from its result. */
export function parseOpaqueMessage(raw: unknown, identify: Identify): ParsedMessage {
  return { role: "system", blocks: [parseOpaque(raw, identify)] };
}

/** The same for the same content in every request, whatever its marks; never throws. */
export function renderIdentity(raw: unknown): string {
  try {
    return JSON.stringify(raw, (key, value: unknown) => (MARKINGS.has(key) ? undefined : nameBytes(value))) ?? "";
  } catch {
    // A cycle or a bigint: only its order of appearance identifies it.
    return "unreadable";
  }
}

/** Bytes by their number and their beginning: a whole picture as a list of numbers would take longer than anything else. */
function nameBytes(value: unknown): unknown {
  if (!(value instanceof Uint8Array)) return value;
  return `${value.length} bytes: ${[...value.subarray(0, SAMPLE_BYTES)].join(" ")}`;
}
