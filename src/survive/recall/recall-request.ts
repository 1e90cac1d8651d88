import type { Json, JsonObject } from "../../core/json.ts";
import type { LineSpan } from "./page-text.ts";

export interface RecallRequest {
  readonly wanted: readonly Wanted[];
  readonly page: number;
  /** In order, without overlaps. */
  readonly lines: readonly LineSpan[] | undefined;
  /** Empty for none. */
  readonly pattern: string;
}

/** The `recall` tool as a model sees it, the same at every entry point. Short, because every request carries it. */
export const RECALL_DESCRIPTION = "Fetches text removed from the conversation; best with pattern.";

export const RECALL_PARAMETERS: JsonObject = {
  type: "object",
  properties: {
    handle: { type: "string", description: "plimsoll:…#line, call:…; several by spaces" },
    page: { type: "integer", description: "of many" },
    lines: { type: "array", items: { type: "integer" }, description: "[from, to] or each" },
    pattern: { type: "string", description: "words or regex, best first" },
  },
  required: ["handle"],
};

const MAX_HANDLES = 100;
const MAX_NAME = 200;

/** Accepts any input with a clear meaning, for instance a number in quotes. Otherwise it says what is wrong. */
export function parseRecall(input: JsonObject): RecallRequest | { readonly problem: string } {
  const page = input.page === undefined ? 1 : toNumber(input.page);
  // Some clients tell a model to fill in every field: an empty list asks for no lines.
  const asked = Array.isArray(input.lines) && input.lines.length === 0 ? undefined : input.lines;
  const lines = asked === undefined ? undefined : parseLines(asked);
  const pattern = input.pattern ?? "";
  const handles: readonly (Json | undefined)[] = [input.handle].flat();
  const wanted = parseHandles(handles.filter((handle) => typeof handle === "string"));
  if (wanted.length === 0)
    return { problem: "Give a handle: plimsoll:… or call:…, as it appears in the conversation." };
  if (wanted.length > MAX_HANDLES)
    return {
      problem: `Too many handles: ${wanted.length}. Pass at most ${MAX_HANDLES}, or a range of lines of one handle, such as plimsoll:…#3-9.`,
    };
  if (wanted.some(({ name }) => name.length > MAX_NAME)) return { problem: "A handle has at most 200 characters." };
  if (page === undefined || page < 1)
    return { problem: `page must be a number of at least 1, not ${quote(input.page)}.` };
  if (lines === null)
    return { problem: `lines must be [from, to] or a list of lines, all at least 1, not ${quote(input.lines)}.` };
  if (typeof pattern !== "string") return { problem: `pattern must be a string, not ${quote(pattern)}.` };
  return { wanted, page, lines, pattern };
}

/** Two numbers are a range, more are single lines; a text may hold ranges: `10-40, 60`. `null` for anything else. */
function parseLines(value: Json): readonly LineSpan[] | null {
  const items: readonly Json[] =
    typeof value === "string" ? (value.match(/\d+(?:\s*(?:-|to|\.\.)\s*\d+)?/g) ?? []) : [value].flat();
  const ranges = items.flatMap((item) => parseRange(item) ?? []);
  if (ranges.length === 0 || ranges.length < items.length) return null;
  const isRange = ranges.length === 2 && ranges.every(({ first, last }) => first === last);
  const ends = ranges.flatMap(({ first, last }) => [first, last]);
  return isRange ? [[Math.min(...ends), Math.max(...ends)]] : joinRanges(ranges);
}

function parseRange(value: Json): { readonly first: number; readonly last: number } | undefined {
  const ends = typeof value === "string" ? value.split(/\D+/).map(toNumber) : [toNumber(value)];
  const numbers = ends.filter((end) => end !== undefined && end >= 1).map(Number);
  return numbers.length === ends.length ? { first: Math.min(...numbers), last: Math.max(...numbers) } : undefined;
}

/** In order, without overlaps or neighbours. */
export function joinRanges(ranges: readonly { readonly first: number; readonly last: number }[]): readonly LineSpan[] {
  const joined: LineSpan[] = [];
  for (const { first, last } of ranges.toSorted((one, other) => one.first - other.first)) {
    const before = joined.at(-1);
    if (before && first <= before[1] + 1) joined[joined.length - 1] = [before[0], Math.max(before[1], last)];
    else joined.push([first, last]);
  }
  return joined;
}

function toNumber(value: Json | undefined): number | undefined {
  const number = typeof value === "string" && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) ? number : undefined;
}

function quote(value: Json | undefined): string {
  return JSON.stringify(value ?? null).slice(0, 100);
}

/** One requested thing: a stored original or ledger lines by digits, or a call by its id. */
export interface Wanted {
  /** Its name in the answer. */
  readonly name: string;
  /** Digits of the hash; `undefined` if only a call can be meant. */
  readonly digits: string | undefined;
  /** `12`, `12i` or `thoughts` of a ledger segment, or both ends of a range of its lines. */
  readonly section: string | undefined;
  readonly range: readonly [number, number] | undefined;
}

const ORIGINAL = /^(?:plimsoll:)?([0-9a-f]{6,64})(?:#(.*))?$/i;
const RANGE = /^(\d{1,9})(?:-|\.\.)#?(\d{1,9})$/;
/** Separators of a list written as text, as JSON or bare. */
const BETWEEN = /[\s,;"'`[\]]+/;

/** Parses one handle, several in a text, or a list. `#7` alone continues the digits before it: `plimsoll:1a2b3c4d5e6f#3, #7-9`. */
export function parseHandles(texts: readonly string[]): readonly Wanted[] {
  const wanted = new Map<string, Wanted>();
  let digits: string | undefined;
  for (const token of texts.flatMap((text) => text.split(BETWEEN)).filter((part) => part !== "")) {
    const goesOn = token.startsWith("#") && digits !== undefined;
    const one = parseHandle(goesOn ? `plimsoll:${digits}${token}` : token);
    if (one.digits !== undefined) digits = one.digits;
    wanted.set(one.name, one);
  }
  return [...wanted.values()];
}

function parseHandle(name: string): Wanted {
  const [, digits, after] = ORIGINAL.exec(name) ?? [];
  const call: Wanted = { name, digits: undefined, section: undefined, range: undefined };
  if (digits === undefined) return call;
  const original = { ...call, digits: digits.toLowerCase() };
  if (after === undefined) return original;
  const [, first, last] = RANGE.exec(after) ?? [];
  if (first !== undefined && last !== undefined) {
    const ends = [Number(first), Number(last)];
    return { ...original, range: [Math.min(...ends), Math.max(...ends)] };
  }
  return { ...original, section: after };
}
