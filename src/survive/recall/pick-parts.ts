import { parseSections } from "../../layers/ledger/sections.ts";
import type { Wanted } from "./parse-handles.ts";

/** A text that is given back, under the name that stands above it. */
export interface Part {
  readonly name: string;
  readonly text: string;
}

/** Why there is nothing to give; empty where nothing at all is known under the handle. */
export interface Missing {
  readonly name: string;
  readonly why: string;
}

/** So many stretches of numbers say enough of what there is. */
const MAX_NAMES = 20;

export type Picked = { readonly parts: readonly Part[] } | { readonly missing: Missing };

/**
 * What a handle stands for, out of the stored text that its digits name: the text itself; of a stretch of ledger a line's call
 * and its result, each of a range of lines, or, where it is asked for whole, what there is in it.
 */
export function pickParts({ name, section, range }: Wanted, text: string): Picked {
  const sections = parseSections(text);
  const handle = name.replace(/#.*$/, "");
  if (section === undefined && range === undefined)
    return { parts: [{ name, text: sections === undefined ? text : renderContents(sections) }] };
  if (sections === undefined)
    return miss(
      name,
      `${handle} is one text without numbered lines: ask for it without #, with lines for a part of it.`,
    );
  const lines = range === undefined ? [section ?? ""] : listNumbers(sections, range);
  const parts = lines.flatMap((line) => pickLine(sections, handle, line));
  return parts.length > 0 ? { parts } : miss(name, `${handle} has ${renderNames(sections)}.`);
}

function miss(name: string, why: string): Picked {
  return { missing: { name, why } };
}

/** `5` is the call with its result, `5i` what it was called with, `5r` its result alone. */
function pickLine(sections: ReadonlyMap<string, string>, handle: string, line: string): readonly Part[] {
  const name = `${handle}#${line}`;
  const number = /^(\d+)r?$/.exec(line)?.[1];
  if (number === undefined) return toPart(name, sections.get(line));
  const [input, result] = [sections.get(`${number}i`), sections.get(number)];
  if (line !== number) return toPart(name, result);
  return [...toPart(`${name} call`, input), ...toPart(input === undefined ? name : `${name} result`, result)];
}

function toPart(name: string, text: string | undefined): readonly Part[] {
  return text === undefined ? [] : [{ name, text }];
}

/** The numbers that there are, so that no range is too long to go through. */
function listNumbers(sections: ReadonlyMap<string, string>, [first, last]: readonly [number, number]): string[] {
  const numbers = new Set([...sections.keys()].flatMap((key) => /^(\d+)i?$/.exec(key)?.[1] ?? []).map(Number));
  return [...numbers]
    .filter((number) => number >= first && number <= last)
    .sort((one, other) => one - other)
    .map(String);
}

function renderContents(sections: ReadonlyMap<string, string>): string {
  const size = (text: string | undefined, what: string): readonly string[] =>
    text === undefined ? [] : [`${what}${text.length} characters`];
  const numbers = listNumbers(sections, [0, Number.POSITIVE_INFINITY]).map((number) => {
    const [input, result] = [sections.get(`${number}i`), sections.get(number)];
    return `#${number}: ${[...size(input, "call "), ...size(result, input === undefined ? "" : "result ")].join(", ")}`;
  });
  const others = [...sections]
    .filter(([key]) => !/^\d+i?$/.test(key))
    .map(([key, text]) => `#${key}: ${text.length} characters`);
  return ["Ask for one of these, or for several: #3-9", ...numbers, ...others].join("\n");
}

/** `#1-#40, #thoughts`: stretches of numbers by their ends. */
function renderNames(sections: ReadonlyMap<string, string>): string {
  const stretches: [number, number][] = [];
  for (const number of listNumbers(sections, [0, Number.POSITIVE_INFINITY]).map(Number)) {
    const last = stretches.at(-1);
    if (last && last[1] + 1 === number) last[1] = number;
    else stretches.push([number, number]);
  }
  const others = [...sections.keys()].filter((key) => !/^\d+i?$/.test(key));
  const names = [
    ...stretches.map(([from, to]) => (from === to ? `#${from}` : `#${from}-${to}`)),
    ...others.map((key) => `#${key}`),
  ];
  return names.length === 0
    ? "nothing in it"
    : `${names.slice(0, MAX_NAMES).join(", ")}${names.length > MAX_NAMES ? ", …" : ""}`;
}
