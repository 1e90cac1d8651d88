import { isDeepStrictEqual } from "node:util";
import type { Json, JsonObject } from "../../../core/json.ts";

/** One change to a JSON text. A path segment is a member's name or an element's index. */
export type JsonEdit =
  | { readonly kind: "set"; readonly path: readonly string[]; readonly value: Json }
  | { readonly kind: "append"; readonly path: readonly string[]; readonly value: Json }
  | { readonly kind: "remove"; readonly path: readonly (string | number)[] };

/**
 * Edits the text itself, so that every other byte stays: order, indentation, line ends, numbers as written. The text must be
 * valid JSON, with objects (for `append` at the end an array) along the path.
 */
export function applyJsonEdits(text: string, edits: readonly JsonEdit[]): string {
  return edits.reduce((current, edit) => {
    if (edit.kind === "remove") return remove(current, edit.path);
    return edit.kind === "set" ? set(current, edit.path, edit.value) : append(current, edit.path, edit.value);
  }, text);
}

export function parseJsonText(text: string): unknown {
  return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
}

interface Part {
  readonly key: string | number;
  /** The start of the name in an object, or of the value in an array. */
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

interface Container {
  readonly open: number;
  readonly close: number;
  readonly parts: readonly Part[];
}

function set(text: string, path: readonly string[], value: Json): string {
  const { container, part, rest } = descend(text, path);
  if (rest.length === 0 && part) {
    const { valueStart, end } = part;
    const old = text.slice(valueStart, end);
    if (isDeepStrictEqual(JSON.parse(old), value)) return text;
    const indent = old.includes("\n") ? indentAt(text, valueStart) : undefined;
    return text.slice(0, valueStart) + renderValue(text, value, indent) + text.slice(end);
  }
  const [key = "", ...inner] = rest;
  const nested = inner.reduceRight<Json>((nest, name): JsonObject => ({ [name]: nest }), value);
  return insert(text, container, nested, `${JSON.stringify(key)}: `);
}

function append(text: string, path: readonly string[], value: Json): string {
  const { part, rest } = descend(text, path);
  if (rest.length > 0 || !part) return set(text, path, [value]);
  return insert(text, scan(text, part.valueStart), value);
}

function remove(text: string, path: readonly (string | number)[]): string {
  const { container, part, rest } = descend(text, path);
  if (rest.length > 0 || !part) return text;
  const index = container.parts.indexOf(part);
  const previous = container.parts[index - 1];
  const next = container.parts[index + 1];
  if (next) return text.slice(0, part.start) + text.slice(next.start);
  if (previous) return text.slice(0, previous.end) + text.slice(part.end);
  return text.slice(0, container.open + 1) + text.slice(container.close);
}

/** Follows the path as far as the text goes: the innermost container, the part found in it, and the rest of the path. */
function descend(text: string, path: readonly (string | number)[]) {
  let container = scan(text, skipSpace(text, text.startsWith("\uFEFF") ? 1 : 0));
  for (const [depth, segment] of path.entries()) {
    // Of a duplicate name the last one counts, as for every parser.
    const part = container.parts.findLast(({ key }) => key === segment);
    if (!part) return { container, part: undefined, rest: path.slice(depth).map(String) };
    if (depth === path.length - 1) return { container, part, rest: [] };
    container = scan(text, part.valueStart);
  }
  return { container, part: undefined, rest: [] };
}

function insert(text: string, { open, close, parts }: Container, value: Json, name = ""): string {
  const first = parts[0];
  const last = parts.at(-1);
  const outer = indentAt(text, open);
  const lead = first ? text.slice(open + 1, first.start) : "";
  const isSpread = first ? lead.includes("\n") : text.includes("\n") || text.trim().length <= "{}".length + 1;
  const newline = newlineOf(text);
  const indent = first && isSpread ? lead.slice(lead.lastIndexOf("\n") + 1) : outer + indentUnit(text);
  const body = name + renderValue(text, value, isSpread ? indent : undefined);
  if (last) return text.slice(0, last.end) + (isSpread ? `,${newline}${indent}` : ", ") + body + text.slice(last.end);
  const inside = isSpread ? `${newline}${indent}${body}${newline}${outer}` : body;
  return text.slice(0, open + 1) + inside + text.slice(close);
}

/** In the text's own layout: on several lines with this indent, or on one without. */
function renderValue(text: string, value: Json, indent: string | undefined): string {
  if (indent === undefined) return JSON.stringify(value);
  return JSON.stringify(value, null, indentUnit(text)).replaceAll("\n", newlineOf(text) + indent);
}

function newlineOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function indentAt(text: string, position: number): string {
  const start = text.lastIndexOf("\n", position - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, position))?.[0] ?? "";
}

function indentUnit(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}

function scan(text: string, open: number): Container {
  const isObject = text[open] === "{";
  if (!isObject && text[open] !== "[") throw new TypeError("there is no object or array on that path");
  const parts: Part[] = [];
  let at = skipSpace(text, open + 1);
  while (text[at] !== "}" && text[at] !== "]") {
    const start = at;
    const nameEnd = isObject ? skipValue(text, start) : start;
    const valueStart = isObject ? skipSpace(text, skipSpace(text, nameEnd) + 1) : start;
    const end = skipValue(text, valueStart);
    const name: unknown = isObject ? JSON.parse(text.slice(start, nameEnd)) : parts.length;
    parts.push({ key: typeof name === "number" ? name : String(name), start, valueStart, end });
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return { open, close: at, parts };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\r\n".includes(text[at] ?? "x")) at++;
  return at;
}

/** The end of the value that begins here. The text is valid JSON, so counting brackets outside strings is enough. */
function skipValue(text: string, from: number): number {
  const token = /"(?:[^"\\]|\\.)*"|[[{]|[\]}]|[^\s,:[\]{}"]+|[\s,:]+/gsy;
  token.lastIndex = from;
  let depth = 0;
  for (;;) {
    const found = token.exec(text)?.[0];
    if (found === undefined) return text.length;
    if (found === "{" || found === "[") depth++;
    if (found === "}" || found === "]") depth--;
    if (depth === 0) return token.lastIndex;
  }
}
