import { MARKINGS } from "../core/hash.ts";
import type { JsonObject } from "../core/json.ts";
import type { Author, ImagePart, ResultPart, Role } from "../core/message.ts";
import { type Draft, isJsonObject, isRecord, type ParsedMessage, type ParsedPart } from "./conversation.ts";

const SAMPLE_BYTES = 32;

/** Who is behind a role of a format. What a host says is on the user's side, unless it is a system message. */
export type Party = Author | "system";

const ROLES: Readonly<Record<Party, Role>> = { person: "user", host: "user", model: "assistant", system: "system" };

/** A message whose content is a text or a list of parts. An unknown role or shape is opaque as a whole. */
export function parseSpoken(
  raw: unknown,
  parties: Readonly<Record<string, Party>>,
  understand: (part: JsonObject, party: Party) => Draft | undefined,
): ParsedMessage {
  const wireRole = isRecord(raw) && typeof raw.role === "string" ? raw.role : "";
  const party = Object.hasOwn(parties, wireRole) ? parties[wireRole] : undefined;
  if (!isRecord(raw) || !party) return parseOpaqueMessage(raw);
  const content = typeof raw.content === "string" ? [{ type: "text", text: raw.content }] : raw.content;
  if (!Array.isArray(content) || !content.every(isRecord)) return parseOpaqueMessage(raw);
  const parts = content.map((part) => parsePart(part, (known) => understand(known, party)));
  return { role: ROLES[party], parts };
}

/** What is not understood, or holds bytes or URL objects, is opaque: it is sent as it came. */
export function parsePart(raw: unknown, understand: (part: JsonObject) => Draft | undefined): ParsedPart {
  const draft = isJsonObject(raw) ? understand(raw) : undefined;
  return draft ? { draft, raw } : parseOpaque(raw);
}

/** A message of an unknown shape or role. As a system message it does not separate a call from its result. */
export function parseOpaqueMessage(raw: unknown): ParsedMessage {
  return { role: "system", parts: [parseOpaque(raw)] };
}

export function parseOpaque(raw: unknown): ParsedPart {
  const type = isRecord(raw) && typeof raw.type === "string" ? raw.type : "";
  const identity = renderIdentity(raw);
  return { draft: { kind: "opaque", type, raw: isJsonObject(raw) ? raw : { type }, identity }, raw };
}

export function draftText(text: unknown, party: Party): Draft | undefined {
  return typeof text === "string" ? { kind: "text", text, author: party === "system" ? "host" : party } : undefined;
}

export function draftCall(callId: unknown, tool: unknown, input: unknown): Draft | undefined {
  if (typeof callId !== "string" || typeof tool !== "string" || !isJsonObject(input)) return undefined;
  return { kind: "toolCall", callId, tool, input };
}

const TEXT: ReadonlySet<unknown> = new Set(["text"]);

/** A result's content; `undefined` if it is neither a text nor a list of plain objects. */
export function parseResultParts(
  content: unknown,
  parseImage: (part: JsonObject) => ImagePart | undefined,
  textTypes: ReadonlySet<unknown> = TEXT,
): readonly ResultPart[] | undefined {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  if (!Array.isArray(content) || !content.every(isJsonObject)) return undefined;
  return content.map((raw) => {
    if (textTypes.has(raw.type) && typeof raw.text === "string") return { kind: "text", text: raw.text };
    return parseImage(raw) ?? { kind: "opaque", raw };
  });
}

export function renderResultParts(parts: readonly ResultPart[], type = "text"): readonly object[] {
  return parts.map((part) => (part.kind === "text" ? { type, text: part.text } : part.raw));
}

/** The text of a result that is nothing but one text. */
export function findOnlyText(parts: readonly ResultPart[]): string | undefined {
  const [only] = parts;
  return parts.length === 1 && only?.kind === "text" ? only.text : undefined;
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
