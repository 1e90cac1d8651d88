import type { JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json-fields.ts";
import { renderLine } from "../history/markers.ts";
import { DECLARES, listNames } from "./list-names.ts";
import { findCounterpart, renderShift } from "./render-shift.ts";

const MAX_PHRASE_CHARACTERS = 90;
/** A change of so many lines is looked at no further. */
const MAX_LINES = 2000;

/** Says nothing by itself. */
const EMPTY =
  /^(?:import\b|from\b|use\b|using\b|package\b|#include|\/\/|\/\*|\*|<!--|#!|---|```|"""|(?:if|else|for|while|try|return|switch|do)?[\W_]*$)/;

/**
 * A change in a phrase: what became of a line where one was changed, otherwise what it declares or its first line; of a whole file
 * the names in it, and of what was only taken out, that.
 */
export function describeChange(input: JsonObject, path: string): string {
  const { before, after } = findTexts(input, path);
  const names = before === "" ? listNames(after, path) : "";
  if (names !== "") return names;
  const [old, fresh] = [splitLines(before), splitLines(after)];
  const [added, removed] = [listOthers(fresh, old), listOthers(old, fresh)];
  const [line, gone] = [added[0], removed[0]];
  if (line !== undefined && gone !== undefined && added.length + removed.length === 2) return renderShift(gone, line);
  const phrase = choosePhrase(added);
  const counterpart = findCounterpart(phrase, removed);
  if (counterpart !== undefined) return renderShift(counterpart, phrase);
  if (phrase !== "") return renderLine(phrase, MAX_PHRASE_CHARACTERS);
  const taken = choosePhrase(removed);
  return taken === "" ? "" : `without ${renderLine(taken, MAX_PHRASE_CHARACTERS)}`;
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
