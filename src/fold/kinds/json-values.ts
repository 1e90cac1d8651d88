import { clipText } from "../../core/clip-text.ts";
import type { Json } from "../../core/json.ts";
import { redactSecrets } from "../redact-secrets.ts";

const MAX_VALUE = 70;
const MAX_LOOKED = 400;
/** Members that say which thing this is. */
const TELLING =
  /^(?:id|uuid|key|name|title|type|kind|status|state|path|file|url|error|message|code|version|number|count|total)$/i;

export function parseJsonOutput(text: string): Json | undefined {
  if (!/^\s{0,1000}[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Cut off, or with words around it: its lines are shown instead.
    return undefined;
  }
}

export function listMembers(value: Json): readonly (readonly [string, Json])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).filter((entry): entry is [string, Json] => entry[1] !== undefined);
}

export function joinName(parent: string, key: string, isIndex: boolean): string {
  return isIndex ? `${parent}[${key}]` : parent === "" ? key : `${parent}.${key}`;
}

/** The end of a long way in says where one is. */
export function shortName(name: string): string {
  if (name === "") return "";
  return `${name.length > 48 ? `…${name.slice(-47)}` : name}: `;
}

/** On one line, what tells things apart first; what lies inside only as how much there is. */
export function renderValue(value: Json): string {
  if (typeof value !== "object" || value === null) return renderPlain(value);
  const members = listMembers(value);
  if (Array.isArray(value)) {
    const plain = members.filter(([, member]) => typeof member !== "object" || member === null).slice(0, 12);
    const shown = plain.map(([, member]) => renderPlain(member)).join(", ");
    return `[${value.length} items]${shown === "" ? "" : ` ${shown}`}`;
  }
  const telling = [...members].sort((left, right) => Number(TELLING.test(right[0])) - Number(TELLING.test(left[0])));
  return `{${telling.map(([key, member]) => `${key}: ${renderMember(key, member)}`).join(", ")}}`;
}

/** The same with what lies inside: a row that stands apart is shown whole. */
export function renderJsonWhole(value: Json): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return renderValue(value);
  const members = listMembers(value).map(([key, member]) => {
    const isInner = typeof member === "object" && member !== null && !Array.isArray(member);
    return `${key}: ${isInner ? renderValue(member) : renderMember(key, member)}`;
  });
  return `{${members.join(", ")}}`;
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
