import type { Json } from "../../core/json.ts";
import { clipText } from "../clip-text.ts";
import { type Excerpt, HEAD } from "../excerpt.ts";
import { extensionOf } from "../hint.ts";
import { type Kind, shareOf } from "../kind.ts";
import { redactSecrets } from "../redact-secrets.ts";

/** JSON and lines of JSON: the shape first, then values, the outermost before what lies inside. */
export const jsonKind: Kind = {
  name: "json",
  names: "pathsAndWords",
  recognise({ lines, start, isNumbered }, hint) {
    if (/^(?:json|jsonl|ndjson|ipynb|geojson|jsonc)$/.test(extensionOf(hint))) return 0.94;
    if (shareOf(lines, /^\s*\{".*\}?\s*$/) > 0.7) return 0.9;
    if (isNumbered) return 0;
    const members = shareOf(lines, /^\s*(?:"[^"]{0,200}"\s*:|[{}[\]],?\s*$|"[^"]{0,300}",?$|-?\d[\d.eE+-]{0,30},?$)/);
    return /^[[{]/.test(start) && (members > 0.6 || /^[[{]\s*["{[]/.test(start)) ? 0.9 : 0;
  },
  outline({ text, lines, isNumbered, isPartial }) {
    const whole = parseJson(isNumbered && !isPartial ? lines.join("\n") : text);
    if (whole !== undefined) return describe([["", whole]]);
    const parsed = lines.flatMap((line, index): readonly (readonly [string, Json])[] => {
      const value = index < FIRST_LINES || index > lines.length - LAST_LINES ? parseJson(line) : undefined;
      return value === undefined ? [] : [[`line ${index + 1}`, value]];
    });
    const outline = parsed.length > 1 ? describe(parsed) : [];
    return [...outline, ...byIndent(lines)];
  },
};

const FIRST_LINES = 24;
const LAST_LINES = 4;
const MAX_PIECES = 120;
const MAX_VALUE = 70;
const MAX_LOOKED = 400;
/** Members that say which thing this is. */
const TELLING =
  /^(?:id|uuid|key|name|title|type|kind|status|state|path|file|url|error|message|code|version|number|count|total)$/i;

function parseJson(text: string): Json | undefined {
  if (!/^\s{0,1000}[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Cut off, or with words around it: its lines are shown instead.
    return undefined;
  }
}

/** Breadth first: what lies further out tells more. One line per object or array, its plain members on it. */
function describe(roots: readonly (readonly [string, Json])[]): readonly Excerpt[] {
  const queue: { readonly name: string; readonly value: Json; readonly depth: number; readonly rank: number }[] =
    roots.map(([name, value], rank) => ({ name, value, depth: 0, rank }));
  const excerpts: Excerpt[] = [];
  for (let next = 0; next < queue.length && excerpts.length < MAX_PIECES; next++) {
    const { name, value, depth, rank } = queue[next] ?? { name: "", value: null, depth: 0, rank: 0 };
    const weight = Math.max(6, 94 - depth * 14 - Math.min(30, rank * 2));
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

function listMembers(value: Json): readonly (readonly [string, Json])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => (member === undefined ? [] : [[key, member]]));
}

function joinName(parent: string, key: string, isIndex: boolean): string {
  return isIndex ? `${parent}[${key}]` : parent === "" ? key : `${parent}.${key}`;
}

/** The end of a long way in says where one is. */
function shortName(name: string): string {
  if (name === "") return "";
  return `${name.length > 48 ? `…${name.slice(-47)}` : name}: `;
}

function renderValue(value: Json): string {
  if (typeof value !== "object" || value === null) return renderPlain(value);
  const members = listMembers(value);
  if (Array.isArray(value)) {
    const plain = members.filter(([, member]) => typeof member !== "object" || member === null);
    return `[${value.length} items]${
      plain.length > 0
        ? ` ${plain
            .slice(0, 12)
            .map(([, member]) => renderPlain(member))
            .join(", ")}`
        : ""
    }`;
  }
  const telling = [...members].sort((left, right) => Number(TELLING.test(right[0])) - Number(TELLING.test(left[0])));
  return `{${telling.map(([key, member]) => `${key}: ${renderMember(key, member)}`).join(", ")}}`;
}

function renderMember(key: string, member: Json): string {
  if (Array.isArray(member)) return `[${member.length}]`;
  if (typeof member === "object" && member !== null) return `{${Object.keys(member).length}}`;
  // The name may be what makes a value a secret, so both are looked at together.
  const pair = `${key}: ${renderPlain(member)}`;
  return redactSecrets(pair) === pair ? clipText(renderPlain(member), MAX_VALUE) : "[REDACTED]";
}

function renderPlain(value: Json): string {
  return typeof value === "string"
    ? JSON.stringify(value.length > MAX_LOOKED ? value.slice(0, MAX_LOOKED) : value)
    : String(value);
}

/** Pretty-printed but not whole: the lines that stand furthest out. */
function byIndent(lines: readonly string[]): readonly Excerpt[] {
  return lines.map((text, line) => {
    const indent = text.length - text.trimStart().length;
    const isBracket = text.trim().length < 3;
    return { line, text, weight: isBracket ? 0 : Math.max(5, 50 - indent * 2), cut: 120 };
  });
}
