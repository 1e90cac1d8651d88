import { createMatcher } from "./create-matcher.ts";

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

/** About 2,000 tokens: a recall must not flood the window that a fold has emptied. */
export const PAGE_CHARACTERS = 6000;
const CONTEXT_LINES = 2;

/** Pages joined in order give back the text, byte for byte. */
export function pageText(text: string, wish: PageWish = {}): Page {
  if (wish.pattern !== undefined && wish.pattern !== "") return pageMatches(text, wish.pattern, wish.page ?? 1);
  if (wish.lines) return pageLines(text, wish.lines, wish.page ?? 1);
  const pages = cutPages(text);
  const page = clamp(wish.page ?? 1, pages.length);
  return {
    text: pages[page - 1] ?? "",
    note:
      pages.length === 1
        ? `whole: ${text.length} characters`
        : `page ${page} of ${pages.length}, ${text.length} characters in all; ask with page, lines or pattern for more`,
    page,
    pages: pages.length,
  };
}

/** Cut at line ends where there are any; a line longer than a page is cut inside, never within a character. */
export function cutPages(text: string): readonly string[] {
  const pages: string[] = [];
  let from = 0;
  while (text.length - from > PAGE_CHARACTERS) {
    const lineEnd = text.slice(from, from + PAGE_CHARACTERS).lastIndexOf("\n") + 1;
    let to = from + (lineEnd > 0 ? lineEnd : PAGE_CHARACTERS);
    if (isHighSurrogate(text.charCodeAt(to - 1))) to--;
    pages.push(text.slice(from, to));
    from = to;
  }
  pages.push(text.slice(from));
  return pages;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function pageLines(text: string, [first, last]: readonly [number, number], page: number): Page {
  const all = text.split("\n");
  const from = clamp(first, all.length);
  const to = Math.max(from, Math.min(all.length, Math.trunc(last)));
  const pages = cutPages(all.slice(from - 1, to).join("\n"));
  const shown = clamp(page, pages.length);
  const more = pages.length === 1 ? "" : `, page ${shown} of ${pages.length} of them`;
  return {
    text: pages[shown - 1] ?? "",
    note: `lines ${from} to ${to} of ${all.length}${more}`,
    page: shown,
    pages: pages.length,
  };
}

function pageMatches(text: string, pattern: string, page: number): Page {
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
  const pages = cutPages(lines.join("\n"));
  const shown = clamp(page, pages.length);
  const more = pages.length === 1 ? "" : `, page ${shown} of ${pages.length}`;
  return {
    text: pages[shown - 1] ?? "",
    note: `${hits} of ${all.length} lines match, shown with their numbers and neighbours${more}`,
    page: shown,
    pages: pages.length,
  };
}

function clamp(value: number, most: number): number {
  return Number.isFinite(value) ? Math.max(1, Math.min(most, Math.trunc(value))) : 1;
}
