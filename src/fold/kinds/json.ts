import { clipText } from "../../core/clip-text.ts";
import { groupBy } from "../../core/group-by.ts";
import { isObject, type Json } from "../../core/json.ts";
import { quietly } from "../../core/quietly.ts";
import { type Excerpt, HEAD } from "../excerpt.ts";
import { extensionOf } from "../hint.ts";
import { type Kind, shareOf } from "../kind.ts";
import { findOddRows, type TableRow } from "../odd-rows.ts";
import { redactSecrets } from "../redact-secrets.ts";
import { surveyLines } from "../survey-lines.ts";
import { findTrouble } from "../trouble.ts";

const MAX_VALUE = 70;
const MAX_LOOKED = 400;
/** Members that identify an object. */
const INFORMATIVE =
  /^(?:id|uuid|key|name|title|type|kind|status|state|path|file|url|error|message|code|version|number|count|total)$/i;

function parseJsonOutput(text: string): Json | undefined {
  if (!/^\s{0,1000}[[{]/.test(text)) return undefined;
  // Truncated or surrounded by text: its lines are shown instead.
  return quietly(() => JSON.parse(text), undefined);
}

function listMembers(value: Json): readonly (readonly [string, Json])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).filter((entry): entry is [string, Json] => entry[1] !== undefined);
}

function joinName(parent: string, key: string, isIndex: boolean): string {
  return isIndex ? `${parent}[${key}]` : parent === "" ? key : `${parent}.${key}`;
}

/** The end of a long path is enough to locate a value. */
function shortName(name: string): string {
  if (name === "") return "";
  return `${name.length > 48 ? `…${name.slice(-47)}` : name}: `;
}

/** On one line, identifying members first; nested values only as their size. A whole row keeps its order and shows the objects in it. */
function renderValue(value: Json, { isWhole = false } = {}): string {
  if (typeof value !== "object" || value === null) return renderPlain(value);
  const members = listMembers(value);
  if (Array.isArray(value)) {
    const plain = members.filter(([, member]) => typeof member !== "object" || member === null).slice(0, 12);
    const shown = plain.map(([, member]) => renderPlain(member)).join(", ");
    return `[${value.length} items]${shown === "" ? "" : ` ${shown}`}`;
  }
  const informative = (key: string): number => Number(!isWhole && INFORMATIVE.test(key));
  const ordered = [...members].sort(([left], [right]) => informative(right) - informative(left));
  const shown = ordered.map(([key, member]) => {
    return `${key}: ${isWhole && isObject(member) ? renderValue(member) : renderMember(key, member)}`;
  });
  return `{${shown.join(", ")}}`;
}

function renderMember(key: string, member: Json): string {
  if (Array.isArray(member)) return `[${member.length}]`;
  if (typeof member === "object" && member !== null) return `{${Object.keys(member).length}}`;
  // The name may be what makes a value a secret, so both are checked together.
  const pair = `${key}: ${renderPlain(member)}`;
  return redactSecrets(pair) === pair ? clipText(renderPlain(member), MAX_VALUE) : "[REDACTED]";
}

function renderPlain(value: Json): string {
  return typeof value === "string"
    ? JSON.stringify(value.length > MAX_LOOKED ? value.slice(0, MAX_LOOKED) : value)
    : String(value);
}

/** JSON and JSON lines: the shape first, then values, the outermost first. */
export const jsonKind: Kind = {
  name: "json",
  recognise({ lines, start, isNumbered }, hint) {
    if (/^(?:json|jsonl|ndjson|ipynb|geojson|jsonc)$/.test(extensionOf(hint))) return 0.94;
    if (shareOf(lines, /^\s*\{".*\}?\s*$/, 0.7) > 0) return 0.9;
    if (isNumbered || !/^[[{]/.test(start)) return 0;
    return /^[[{]\s*["{[]/.test(start) || shareOf(lines, MEMBER, 0.6) > 0 ? 0.9 : 0;
  },
  outline({ text, lines, numbers, isNumbered, isPartial }) {
    const whole = parseJsonOutput(isNumbered && !isPartial ? lines.join("\n") : text);
    if (whole !== undefined) return [...describe([["", whole]]), ...excerptOddRows([["", whole]])];
    const parsed = parseLines(lines, numbers);
    if (parsed.length <= 1) return byIndent(lines);
    const [first, last] = [parsed.slice(0, FIRST_LINES), parsed.slice(FIRST_LINES).slice(-LAST_LINES)];
    return [...describe([...first, ...last]), ...excerptOddRows(parsed), ...byIndent(lines)];
  },
};

const MEMBER = /^\s*(?:"[^"]{0,200}"\s*:|[{}[\]],?\s*$|"[^"]{0,300}",?$|-?\d[\d.eE+-]{0,30},?$)/;
const FIRST_LINES = 24;
const LAST_LINES = 4;
const MAX_PIECES = 120;

function parseLines(lines: readonly string[], numbers: readonly number[]): readonly NamedValue[] {
  return lines.flatMap((line, index): readonly NamedValue[] => {
    const value = parseJsonOutput(line);
    return value === undefined ? [] : [[`line ${numbers[index] || index + 1}`, value]];
  });
}

/** Breadth first, because outer values say more. One line per object or array with its plain members. */
function describe(roots: readonly NamedValue[]): readonly Excerpt[] {
  const queue: { readonly name: string; readonly value: Json; readonly depth: number; readonly rank: number }[] =
    roots.map(([name, value], rank) => ({ name, value, depth: 0, rank }));
  const excerpts: Excerpt[] = [];
  // The queue grows while it is walked.
  for (const { name, value, depth, rank } of queue) {
    if (excerpts.length >= MAX_PIECES) break;
    const weight = Math.max(6, (depth === 0 && rank === 0 ? 98 : 94) - depth * 14 - Math.min(30, rank * 2));
    const members = listMembers(value);
    // A wrapper around a single value is not shown; its name is put before that value.
    const isWrapper = members.length === 1 && typeof members[0]?.[1] === "object" && members[0][1] !== null;
    if (!isWrapper)
      excerpts.push({ line: HEAD, text: shortName(name) + renderValue(value), weight, cut: depth === 0 ? 320 : 180 });
    for (const [inner, [key, member]] of members.entries()) {
      if (typeof member !== "object" || member === null || queue.length > MAX_PIECES) continue;
      const below = isWrapper ? depth : depth + 1;
      queue.push({ name: joinName(name, key, Array.isArray(value)), value: member, depth: below, rank: inner });
    }
  }
  return excerpts;
}

/** Pretty-printed but incomplete: the least indented lines, and those that mention trouble. */
function byIndent(lines: readonly string[]): readonly Excerpt[] {
  const survey = surveyLines(lines);
  return lines.map((text, line) => {
    const indent = text.length - text.trimStart().length;
    const isBracket = text.trim().length < 3;
    const plain = isBracket ? 0 : Math.max(5, 50 - indent * 2);
    const isTroubled = survey.isFirst(line) && survey.troubleAt(line) !== undefined;
    return { line, text, weight: isTroubled ? Math.max(plain, 70) : plain, cut: 120 };
  });
}

type NamedValue = readonly [name: string, value: Json];

const MAX_VALUES = 20_000;
const MAX_DEPTH = 8;
/** From this many members on, if all are objects, they are rows whatever their names. */
const LEAST_ROWS = 8;
const MAX_SHOWN = 8;
const MAX_CELL = 60;
const WEIGHTS = [0, 66, 95, 97] as const;
/** Names of members that are empty or hold something bad. */
const TROUBLE_NAME = /^(?:errors?|exceptions?|failures?|failed|warnings?|stderr)$/i;

/** The rows and lines inside a value that differ from others at their path, or mention trouble. */
function excerptOddRows(roots: readonly NamedValue[]): readonly Excerpt[] {
  /** Objects at the same path, `suites[].cases[]`, in text order. */
  const rows: { readonly place: string; readonly row: NamedValue }[] = [];
  const texts: (readonly [name: string, lines: readonly string[]])[] = [];
  let left = MAX_VALUES;
  const visit = (name: string, value: Json, way: { readonly place: string; readonly depth: number }): void => {
    if (left-- <= 0 || way.depth > MAX_DEPTH || typeof value !== "object" || value === null) return;
    const members = listMembers(value);
    if (Array.isArray(value) && value.length >= LEAST_ROWS && value.every((item) => typeof item === "string"))
      texts.push([name, value]);
    const isMap =
      !Array.isArray(value) && members.length >= LEAST_ROWS && members.every(([, member]) => isObject(member));
    for (const [key, member] of members) {
      const inner = joinName(name, key, Array.isArray(value));
      const place = `${way.place}.${Array.isArray(value) || isMap ? "*" : key}`;
      if (typeof member === "string" && member.includes("\n")) texts.push([inner, member.split("\n")]);
      if (isObject(member)) rows.push({ place, row: [inner, member] });
      visit(inner, member, { place, depth: way.depth + 1 });
    }
  };
  for (const [name, value] of roots) {
    if (isObject(value)) rows.push({ place: "", row: [name, value] });
    visit(name, value, { place: "", depth: 0 });
  }
  const groups = [...groupBy(rows, ({ place }) => place).values()];
  return [...groups.flatMap((group) => excerptRows(group.map(({ row }) => row))), ...texts.flatMap(excerptLines)];
}

function excerptRows(rows: readonly NamedValue[]): readonly Excerpt[] {
  if (rows.length < LEAST_ROWS) return rows.filter(([, value]) => isTroubled(value)).map((row) => excerptRow(row, 90));
  return findOddRows(rows.map(([, value]) => spread(value)))
    .slice(0, MAX_SHOWN)
    .map(({ row, score }) => excerptRow(rows[row] ?? ["", null], WEIGHTS[score] ?? 0));
}

function excerptRow([name, value]: NamedValue, weight: number): Excerpt {
  return { line: HEAD, text: shortName(name) + renderValue(value, { isWhole: true }), weight, cut: 260 };
}

/** Only by the object's own members: nested objects are judged on their own. */
function isTroubled(value: Json): boolean {
  return listMembers(value).some(([key, member]) => {
    if (typeof member === "string" && member.length < MAX_CELL && findTrouble(member) !== undefined) return true;
    const isEmpty = !member || (typeof member === "object" && Object.keys(member).length === 0);
    return TROUBLE_NAME.test(key) && !isEmpty;
  });
}

function spread(value: Json): TableRow {
  const cells = new Map<string, string>();
  for (const [key, member] of listMembers(value)) {
    if (isObject(member)) for (const [inner, deep] of listMembers(member)) addCell(cells, `${key}.${inner}`, deep);
    else addCell(cells, key, member);
  }
  return cells;
}

function addCell(cells: Map<string, string>, key: string, value: Json): void {
  if (Array.isArray(value)) cells.set(key, value.length === 0 ? "[]" : "[…]");
  else if (typeof value !== "object" || value === null)
    cells.set(key, String(value).slice(0, MAX_CELL).replaceAll("\n", " "));
}

/** Lines inside a value, quoted with the path to them and their line number there. */
function excerptLines([name, lines]: readonly [string, readonly string[]]): readonly Excerpt[] {
  const survey = surveyLines(lines);
  const excerpts: Excerpt[] = [];
  for (let line = 0; line < lines.length && excerpts.length < MAX_SHOWN; line++) {
    if (!survey.isFirst(line)) continue;
    const trouble = survey.troubleAt(line);
    if (trouble === undefined && !survey.isOdd(line)) continue;
    const weight = survey.isOdd(line) ? 95 : trouble === "error" ? 86 : 80;
    excerpts.push({ line: HEAD, text: `${shortName(`${name}[${line}]`)}${(lines[line] ?? "").trim()}`, weight });
  }
  return excerpts;
}
