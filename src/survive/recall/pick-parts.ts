import { clipLine } from "../../core/clip-text.ts";
import { isObject, parseJson } from "../../core/json.ts";
import { parseSections } from "../../layers/ledger/sections.ts";
import { joinRanges, type Wanted } from "./recall-request.ts";

export interface Part {
  readonly name: string;
  readonly handle: string;
  readonly text: string;
  /** It is a tool's input, in JSON. */
  readonly isCall?: boolean;
  /** For a list of contents: the contents themselves, which a pattern searches. */
  readonly behind?: readonly Part[];
}

/** Why there is nothing to return; empty if nothing is known under the handle. */
export interface Missing {
  readonly name: string;
  readonly why: string;
}

const MAX_NAMES = 20;
const ALL = [0, Number.POSITIVE_INFINITY] as const;

export type Picked = { readonly parts: readonly Part[] } | { readonly missing: Missing };

/** What a handle stands for in the stored text that its digits name: the text itself, lines of a ledger segment, or the list of a whole segment's contents. */
export function pickParts({ name, section, range }: Wanted, text: string): Picked {
  const sections = parseSections(text);
  const handle = name.replace(/#.*$/, "");
  if (section === undefined && range === undefined) {
    if (sections === undefined) return { parts: [{ name, handle, text }] };
    const all = [...listNumbers(sections), ...listOthers(sections)];
    const behind = all.flatMap((line) => pickLine(sections, handle, line));
    return { parts: [{ name: handle, handle, text: renderContents(sections), behind }] };
  }
  if (sections === undefined)
    return miss(name, `${handle} has no numbered lines: leave out the # part, and pass lines to select a part.`);
  const lines = range === undefined ? [section ?? ""] : listNumbers(sections, range);
  const parts = lines.flatMap((line) => pickLine(sections, handle, line));
  return parts.length > 0 ? { parts } : miss(name, `${handle} has ${renderNames(sections)}.`);
}

function miss(name: string, why: string): Picked {
  return { missing: { name, why } };
}

/** `5` is the call with its result, `5i` only its input, `5r` only its result. */
function pickLine(sections: ReadonlyMap<string, string>, handle: string, line: string): readonly Part[] {
  const [, number, kind] = /^(\d+)([ir]?)$/.exec(line) ?? [];
  const name = `${handle}#${line}`;
  if (number === undefined) return toPart({ name, handle: name }, sections.get(line));
  const [input, result] = [sections.get(`${number}i`), sections.get(number)];
  const call = { name, handle: `${handle}#${number}i`, isCall: true };
  const given = { name, handle: `${handle}#${number}r` };
  if (kind === "i") return toPart(call, input);
  if (kind === "r" || input === undefined) return toPart(given, result);
  return [...toPart({ ...call, name: `${name} call` }, input), ...toPart({ ...given, name: `${name} result` }, result)];
}

function toPart(part: Omit<Part, "text">, text: string | undefined): readonly Part[] {
  return text === undefined ? [] : [{ ...part, text }];
}

/** Lists only existing numbers, so that no range is too long to iterate. */
function listNumbers(sections: ReadonlyMap<string, string>, [first, last]: readonly [number, number] = ALL): string[] {
  const numbers = new Set([...sections.keys()].flatMap((key) => /^(\d+)i?$/.exec(key)?.[1] ?? []).map(Number));
  return [...numbers]
    .filter((number) => number >= first && number <= last)
    .sort((one, other) => one - other)
    .map(String);
}

/** Sections that are not lines of the ledger: `thoughts`. */
function listOthers(sections: ReadonlyMap<string, string>): readonly string[] {
  return [...sections.keys()].filter((key) => !/^\d+i?$/.test(key));
}

function renderContents(sections: ReadonlyMap<string, string>): string {
  const size = (text: string | undefined, what: string): readonly string[] =>
    text === undefined ? [] : [`${what}${text.length} characters`];
  const numbers = listNumbers(sections).map((number) => {
    const [input, result] = [sections.get(`${number}i`), sections.get(number)];
    const sizes = [...size(input, "call "), ...size(result, input === undefined ? "" : "result ")].join(", ");
    return `#${number}: ${sizes}${nameSubject(input ?? result ?? "")}`;
  });
  const others = listOthers(sections).flatMap((key) => size(sections.get(key), `#${key}: `));
  return [
    "List of contents. Add one of these numbers to the handle, or several, such as #3-9:",
    ...numbers,
    ...others,
  ].join("\n");
}

const MAX_SUBJECT = 60;

/** The first text of a call's input, such as a path or a command; the first line of anything else. */
function nameSubject(text: string): string {
  const input = parseJson(text);
  const first = isObject(input) ? Object.values(input).find((value) => typeof value === "string") : text;
  const subject = typeof first === "string" ? clipLine(first.trim(), MAX_SUBJECT) : "";
  return subject === "" ? "" : `, ${subject}`;
}

/** `#1-#40, #thoughts`: ranges of numbers by their ends. */
function renderNames(sections: ReadonlyMap<string, string>): string {
  const numbers = listNumbers(sections).map(Number);
  const names = [
    ...joinRanges(numbers.map((number) => ({ first: number, last: number }))).map(([from, to]) =>
      from === to ? `#${from}` : `#${from}-${to}`,
    ),
    ...listOthers(sections).map((key) => `#${key}`),
  ];
  return names.length === 0
    ? "nothing in it"
    : `${names.slice(0, MAX_NAMES).join(", ")}${names.length > MAX_NAMES ? ", …" : ""}`;
}
