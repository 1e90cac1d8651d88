import { type ContentBlock, isRecord } from "../api/messages-body.ts";
import { listCombinedParts } from "./combined-parts.ts";
import type { What } from "./verdict.ts";

/** One thing in a request that the law speaks of. */
export interface Thing {
  readonly what: What;
  /** Equal for equal content: the content itself, under a letter for its kind. */
  readonly key: string;
  readonly text: string;
  readonly callId?: string;
}

/** Blanks at its ends do not count: the client adds a line feed to some prompts, and trims a result before a reminder. */
export function textKey(text: string): string {
  return `t:${text.trim()}`;
}

export function inputKey(input: unknown): string {
  return `i:${renderCanonical(input)}`;
}

export function pictureKey(data: string): string {
  return `p:${data}`;
}

/** The base64 or address of a picture; `undefined` for a block that is none. */
export function pictureOf(block: unknown): string | undefined {
  if (!isRecord(block) || !isRecord(block.source)) return undefined;
  const { data, url, file_id: fileId } = block.source;
  return [data, url, fileId].find((value) => typeof value === "string");
}

/** JSON with its keys in order: what a model or a person cannot tell apart is the same. */
function renderCanonical(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) =>
    isRecord(field) ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1))) : field,
  );
}

/** Of a message to another agent the client stores up to four fields more than the model wrote; it sends none of them (2.1.325). */
export function withoutAdded(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { type, recipient, recipient_kind: kind, content, ...written } = input;
  return recipient !== undefined && recipient === written.to ? written : input;
}

/** Every key that a recalled text can stand for: itself, an input, a picture, parts with pictures among them, or several outputs. */
export function keysOfText(text: string): readonly string[] {
  const picture = /^data:[\w/+.-]+;base64,([\s\S]*)$/.exec(text)?.[1];
  if (picture !== undefined) return [pictureKey(picture)];
  const keys = [textKey(text)];
  const value = /^[[{]/.test(text) ? parseJson(text) : undefined;
  if (isRecord(value)) keys.push(...new Set([inputKey(value), inputKey(withoutAdded(value))]));
  if (value !== undefined) keys.push(...keysOfParts(value));
  keys.push(...listCombinedParts(text).map((part) => textKey(part.text)));
  return keys;
}

/** A result with a picture is stored as its parts. */
function keysOfParts(value: unknown): readonly string[] {
  const parts = Array.isArray(value) ? value : [value];
  const texts = parts.filter(isRecord).flatMap((part) => (typeof part.text === "string" ? [part.text] : []));
  const pictures = parts.flatMap((part) => pictureOf(isRecord(part) && isRecord(part.raw) ? part.raw : part) ?? []);
  return [...pictures.map(pictureKey), ...(texts.length > 0 && pictures.length > 0 ? [textKey(texts.join("\n"))] : [])];
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The texts of a result, and its pictures. */
export function partsOf({ content }: ContentBlock): {
  readonly texts: readonly string[];
  readonly pictures: readonly string[];
} {
  if (typeof content === "string") return { texts: [content], pictures: [] };
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return {
    texts: parts.flatMap((part) => (isRecord(part) && typeof part.text === "string" ? [part.text] : [])),
    pictures: parts.flatMap((part) => pictureOf(part) ?? []),
  };
}
