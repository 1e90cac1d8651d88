import type { Json } from "../../core/json.ts";
import { isObject } from "../../core/json-fields.ts";
import { type Excerpt, HEAD } from "../excerpt.ts";
import { findOddRows, type TableRow } from "../odd-rows.ts";
import { surveyLines } from "../survey-lines.ts";
import { findTrouble } from "../trouble.ts";
import { joinName, listMembers, renderJsonWhole, shortName } from "./json-values.ts";

/** A value and the way to it. */
export type NamedValue = readonly [name: string, value: Json];

const MAX_VALUES = 20_000;
const MAX_DEPTH = 8;
/** So many members that all are objects are rows, whatever their names. */
const LEAST_ROWS = 8;
const MAX_SHOWN = 8;
const MAX_CELL = 60;
const WEIGHTS = [0, 66, 95, 97] as const;
/** Members that hold nothing, or something bad. */
const TROUBLE_NAME = /^(?:errors?|exceptions?|failures?|failed|warnings?|stderr)$/i;

interface Tree {
  /** Objects of equal place, `suites[].cases[]`, in the order of the text. */
  readonly rows: Map<string, NamedValue[]>;
  /** Texts of several lines, and lists of them. */
  readonly texts: (readonly [name: string, lines: readonly string[]])[];
}

/** The rows and lines inside a value that differ from the others of their place, or speak of trouble. */
export function excerptOddRows(roots: readonly NamedValue[]): readonly Excerpt[] {
  const tree: Tree = { rows: new Map(), texts: [] };
  let left = MAX_VALUES;
  const visit = (name: string, value: Json, way: { readonly place: string; readonly depth: number }): void => {
    if (left-- <= 0 || way.depth > MAX_DEPTH || typeof value !== "object" || value === null) return;
    const members = listMembers(value);
    if (Array.isArray(value) && value.length >= LEAST_ROWS && value.every((item) => typeof item === "string"))
      tree.texts.push([name, value]);
    const isMap =
      !Array.isArray(value) && members.length >= LEAST_ROWS && members.every(([, member]) => isObject(member));
    for (const [key, member] of members) {
      const inner = joinName(name, key, Array.isArray(value));
      const place = `${way.place}.${Array.isArray(value) || isMap ? "*" : key}`;
      if (typeof member === "string" && member.includes("\n")) tree.texts.push([inner, member.split("\n")]);
      if (isObject(member)) addRow(tree, place, [inner, member]);
      visit(inner, member, { place, depth: way.depth + 1 });
    }
  };
  for (const [name, value] of roots) {
    if (isObject(value)) addRow(tree, "", [name, value]);
    visit(name, value, { place: "", depth: 0 });
  }
  return [...[...tree.rows.values()].flatMap(excerptRows), ...tree.texts.flatMap(excerptLines)];
}

function addRow({ rows }: Tree, place: string, row: NamedValue): void {
  const known = rows.get(place);
  if (known) known.push(row);
  else rows.set(place, [row]);
}

function excerptRows(rows: readonly NamedValue[]): readonly Excerpt[] {
  if (rows.length < LEAST_ROWS) return rows.filter(([, value]) => isTroubled(value)).map((row) => excerptRow(row, 90));
  return findOddRows(rows.map(([, value]) => spread(value)))
    .slice(0, MAX_SHOWN)
    .map(({ row, score }) => excerptRow(rows[row] ?? ["", null], WEIGHTS[score] ?? 0));
}

function excerptRow([name, value]: NamedValue, weight: number): Excerpt {
  return { line: HEAD, text: shortName(name) + renderJsonWhole(value), weight, cut: 260 };
}

/** Of what stands alone only what it says itself: what lies inside it speaks for itself. */
function isTroubled(value: Json): boolean {
  return listMembers(value).some(([key, member]) => {
    if (typeof member === "string" && member.length < MAX_CELL && findTrouble(member) !== undefined) return true;
    return (
      TROUBLE_NAME.test(key) && member !== null && member !== "" && member !== 0 && member !== false && !isEmpty(member)
    );
  });
}

function isEmpty(value: Json): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** Its own members and those of the objects in it. */
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

/** Lines inside a value, quoted by the way to them and their number there. */
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
