import type { JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json-fields.ts";
import { renderLine } from "../history/markers.ts";

const MAX_PHRASE_CHARACTERS = 90;
/** A change of so many lines is looked at no further. */
const MAX_LINES = 2000;

/** Declares something by name, in most languages; a heading in prose. */
const DECLARES =
  /^(?:(?:export|default|pub(?:\(\w+\))?|public|private|protected|static|abstract|override|async|final|declare)\s+)*(?:function\*?|class|interface|enum|struct|trait|impl|def|fn|func|module|namespace|type|const|let|var|val|record)\s+[\w$(]|^(?:describe|it|test)\(|^#{1,6} \S|^@?[A-Z_]{3,}\s*[:=]/;
/** Says nothing by itself. */
const EMPTY = /^(?:import\b|from\b|use\b|using\b|package\b|#include|\/\/|\/\*|\*|<!--|#!|---|```|"""|[\W_]*$)/;

/** A change in a phrase: what it declares, otherwise its first line; of what was only taken out, that. */
export function describeChange(input: JsonObject, path: string): string {
  const { before, after } = findTexts(input, path);
  const [old, fresh] = [splitLines(before), splitLines(after)];
  const added = choosePhrase(listOthers(fresh, old));
  if (added !== "") return renderLine(added, MAX_PHRASE_CHARACTERS);
  const removed = choosePhrase(listOthers(old, fresh));
  return removed === "" ? "" : `without ${renderLine(removed, MAX_PHRASE_CHARACTERS)}`;
}

function splitLines(text: string): readonly string[] {
  return text.split("\n", MAX_LINES).map((line) => line.trim());
}

function choosePhrase(lines: readonly string[]): string {
  const telling = lines.filter((line) => !EMPTY.test(line));
  return telling.find((line) => DECLARES.test(line)) ?? telling[0] ?? "";
}

function listOthers(lines: readonly string[], than: readonly string[]): readonly string[] {
  const known = new Set(than);
  return lines.filter((line) => line !== "" && !known.has(line));
}

/** Whatever a tool calls its fields: what was put in is new, content or text, what it took the place of is old. */
function findTexts(input: JsonObject, path: string): { readonly before: string; readonly after: string } {
  const fields = listFields(input).filter(([, text]) => text !== path);
  const find = (name: RegExp): string | undefined => fields.find(([field]) => name.test(field))?.[1];
  return { before: find(/^old/i) ?? "", after: find(/^(?:new|content|text|source|file_text)/i) ?? "" };
}

/** Of several changes in one call the first. */
function listFields(input: JsonObject): readonly (readonly [name: string, text: string])[] {
  const [first] = Object.values(input).flatMap((value) => (Array.isArray(value) ? value.filter(isObject) : []));
  const own = Object.entries(first ?? input);
  return own.flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : []));
}
