import { createMatcher } from "./create-matcher.ts";
import { findCut } from "./lay-out-pages.ts";

/** Which part of a stored text is wanted; without any wish, its first page. */
export interface PageWish {
  /** Counted from 1. */
  readonly page?: number | undefined;
  /** Lines from and to, both included, counted from 1. */
  readonly lines?: readonly [number, number] | undefined;
  /** A regular expression, or plain words where it is none. */
  readonly pattern?: string | undefined;
}

export interface Page {
  readonly text: string;
  /** Where in the original it lies and how to get the rest, in one line. */
  readonly note: string;
  readonly page: number;
  readonly pages: number;
}

/** Of a list that nobody reads to its end: about 2,000 tokens. */
export const PAGE_CHARACTERS = 6000;
const CONTEXT_LINES = 2;

/** Pages joined in order give back the text, byte for byte. */
export function pageText(text: string, wish: PageWish = {}): Page {
  const selected = selectText(text, wish);
  const pages = cutPages(selected.text);
  const page = clamp(wish.page ?? 1, pages.length);
  const where = `page ${page} of ${pages.length}`;
  const more = pages.length === 1 ? "" : `, ${where} of them`;
  const whole = pages.length === 1 ? `whole: ${text.length} characters` : `${where}, ${text.length} characters in all`;
  const note = selected.note === undefined ? whole : `${selected.note}${more}`;
  return { text: pages[page - 1] ?? "", note, page, pages: pages.length };
}

export function cutPages(text: string, pageCharacters: number = PAGE_CHARACTERS): readonly string[] {
  const pages: string[] = [];
  let from = 0;
  do {
    const to = findCut(text, from, pageCharacters);
    pages.push(text.slice(from, to));
    from = to;
  } while (from < text.length);
  return pages;
}

/** The wanted lines of a text, or those that match; `note` says which they are, and nothing for the whole. */
export interface Selected {
  readonly text: string;
  readonly note: string | undefined;
}

export function selectText(text: string, { pattern = "", lines }: PageWish): Selected {
  if (pattern !== "") return selectMatches(text, pattern);
  return lines ? selectLines(text, lines) : { text, note: undefined };
}

function selectLines(text: string, [first, last]: readonly [number, number]): Selected {
  const all = text.split("\n");
  const from = clamp(first, all.length);
  const to = Math.max(from, Math.min(all.length, Math.trunc(last)));
  return { text: all.slice(from - 1, to).join("\n"), note: `lines ${from} to ${to} of ${all.length}` };
}

function selectMatches(text: string, pattern: string): Selected {
  const isMatch = createMatcher(pattern);
  const all = text.split("\n");
  const wanted = new Set<number>();
  let hits = 0;
  for (const [index, line] of all.entries()) {
    if (!isMatch(line)) continue;
    hits++;
    for (let near = index - CONTEXT_LINES; near <= index + CONTEXT_LINES; near++) wanted.add(near);
  }
  const lines = all.flatMap((line, index) => (wanted.has(index) ? [`${index + 1}: ${line}`] : []));
  return {
    text: lines.join("\n"),
    note: `${hits} of ${all.length} lines match, shown with their numbers and neighbours`,
  };
}

function clamp(value: number, most: number): number {
  return Number.isFinite(value) ? Math.max(1, Math.min(most, Math.trunc(value))) : 1;
}
