import type { Json } from "../../core/json.ts";
import { type Excerpt, HEAD } from "../excerpt.ts";
import { extensionOf } from "../hint.ts";
import { type Kind, shareOf } from "../kind.ts";
import { surveyLines } from "../survey-lines.ts";
import { excerptOddRows, type NamedValue } from "./json-rows.ts";
import { joinName, listMembers, parseJsonOutput, renderValue, shortName } from "./json-values.ts";

/** JSON and lines of JSON: the shape first, then values, the outermost before what lies inside. */
export const jsonKind: Kind = {
  name: "json",
  names: "pathsAndWords",
  middle: "troubleAndOdd",
  recognise({ lines, start, isNumbered }, hint) {
    if (/^(?:json|jsonl|ndjson|ipynb|geojson|jsonc)$/.test(extensionOf(hint))) return 0.94;
    if (shareOf(lines, /^\s*\{".*\}?\s*$/) > 0.7) return 0.9;
    if (isNumbered) return 0;
    const members = shareOf(lines, /^\s*(?:"[^"]{0,200}"\s*:|[{}[\]],?\s*$|"[^"]{0,300}",?$|-?\d[\d.eE+-]{0,30},?$)/);
    return /^[[{]/.test(start) && (members > 0.6 || /^[[{]\s*["{[]/.test(start)) ? 0.9 : 0;
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

const FIRST_LINES = 24;
const LAST_LINES = 4;
const MAX_PIECES = 120;
/** Each line that is a value by itself. */
function parseLines(lines: readonly string[], numbers: readonly number[]): readonly NamedValue[] {
  return lines.flatMap((line, index): readonly NamedValue[] => {
    const value = parseJsonOutput(line);
    return value === undefined ? [] : [[`line ${numbers[index] || index + 1}`, value]];
  });
}

/** Breadth first: what lies further out tells more. One line per object or array, its plain members on it. */
function describe(roots: readonly NamedValue[]): readonly Excerpt[] {
  const queue: { readonly name: string; readonly value: Json; readonly depth: number; readonly rank: number }[] =
    roots.map(([name, value], rank) => ({ name, value, depth: 0, rank }));
  const excerpts: Excerpt[] = [];
  for (let next = 0; next < queue.length && excerpts.length < MAX_PIECES; next++) {
    const { name, value, depth, rank } = queue[next] ?? { name: "", value: null, depth: 0, rank: 0 };
    const weight = Math.max(6, (depth === 0 && rank === 0 ? 98 : 94) - depth * 14 - Math.min(30, rank * 2));
    const members = listMembers(value);
    // A wrapper around one thing says nothing by itself: its name stands before what it wraps.
    const isWrapper = members.length === 1 && typeof members[0]?.[1] === "object" && members[0][1] !== null;
    if (!isWrapper)
      excerpts.push({ line: HEAD, text: shortName(name) + renderValue(value), weight, cut: depth === 0 ? 320 : 180 });
    for (const [inner, [key, member]] of members.entries()) {
      if (typeof member !== "object" || member === null || queue.length > MAX_PIECES) continue;
      queue.push({
        name: joinName(name, key, Array.isArray(value)),
        value: member,
        depth: isWrapper ? depth : depth + 1,
        rank: inner,
      });
    }
  }
  return excerpts;
}

/** Pretty-printed but not whole: the lines that stand furthest out, and those that speak of trouble. */
function byIndent(lines: readonly string[]): readonly Excerpt[] {
  const survey = surveyLines(lines);
  return lines.map((text, line) => {
    const indent = text.length - text.trimStart().length;
    const isBracket = text.trim().length < 3;
    const plain = isBracket ? 0 : Math.max(5, 50 - indent * 2);
    return {
      line,
      text,
      weight: survey.isFirst(line) && survey.troubleAt(line) ? Math.max(plain, 70) : plain,
      cut: 120,
    };
  });
}
