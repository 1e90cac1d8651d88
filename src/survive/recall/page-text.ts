import { clipText } from "../../core/clip-text.ts";
import { isHigh } from "../../core/utf8.ts";
import type { Hit } from "./match-lines.ts";
import type { Picture } from "./picture.ts";

/** For a list that is rarely read to its end: about 2,000 tokens. */
export const PAGE_CHARACTERS = 6000;
const CONTEXT_LINES = 2;

export function pageText(
  text: string,
  wanted = 1,
): { readonly text: string; readonly page: number; readonly pages: number } {
  const pages = cutPages(text);
  const page = Number.isFinite(wanted) ? Math.max(1, Math.min(pages.length, Math.trunc(wanted))) : 1;
  return { text: pages[page - 1] ?? "", page, pages: pages.length };
}

/** All pages joined in order give back the text, byte for byte. */
export function cutPages(text: string): readonly string[] {
  const pages: string[] = [];
  let from = 0;
  do {
    const to = findCut(text, from, PAGE_CHARACTERS);
    pages.push(text.slice(from, to));
    from = to;
  } while (from < text.length);
  return pages;
}

/** Some lines of a text, and a note that says which they are. */
export interface Selected {
  readonly text: string;
  readonly note: string;
}

/** The first and the last line of a range, counted from 1. */
export type LineSpan = readonly [first: number, last: number];

/** Lines that a text does not have are left out; empty if it has none of them. */
export function selectRanges(text: string, ranges: readonly LineSpan[]): Selected {
  const all = text.split("\n");
  const within = ranges
    .filter(([first]) => first <= all.length)
    .map(([first, last]): LineSpan => [first, Math.min(all.length, last)]);
  const places = within.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`));
  const isOne = within.every(([first, last]) => first === last) && within.length === 1;
  return {
    text: within.map(([first, last]) => all.slice(first - 1, last).join("\n")).join("\n"),
    note: within.length === 0 ? "" : `line${isOne ? "" : "s"} ${places.join(", ")} of ${all.length}`,
  };
}

const NEIGHBOUR_CHARACTERS = 160;
/** What is found behind the best places is listed without its neighbours. */
const PLACES_WITH_NEIGHBOURS = 12;

/** The places of a text that were found, the best first, each line with its number and, at the best places, with its neighbours. */
export function selectHits(text: string, hits: readonly Hit[]): Selected {
  const all = text.split("\n");
  const places: Map<number, string[]>[] = [];
  const placeOf = new Map<number, Map<number, string[]>>();
  const put = (place: Map<number, string[]>, line: number, shown: string): void => {
    place.set(line, [...(place.get(line) ?? []), shown]);
    placeOf.set(line, place);
  };
  for (const { line, shown, isWholeLine } of hits) {
    const from = Math.max(0, line - CONTEXT_LINES);
    const to = Math.min(all.length - 1, line + CONTEXT_LINES);
    const near = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    const known = near.map((each) => placeOf.get(each)).find((place) => place !== undefined);
    const place = known ?? new Map<number, string[]>();
    if (known === undefined) places.push(place);
    if (isWholeLine) place.delete(line);
    put(place, line, shown);
    if (!isWholeLine || places.length > PLACES_WITH_NEIGHBOURS) continue;
    for (const each of near)
      if (!placeOf.has(each) && all[each] !== "") put(place, each, clipText(all[each] ?? "", NEIGHBOUR_CHARACTERS));
  }
  return {
    text: places.map(renderPlace).join("\n--\n"),
    note: `${new Set(hits.map(({ line }) => line)).size} of ${all.length} lines match`,
  };
}

function renderPlace(place: ReadonlyMap<number, readonly string[]>): string {
  return [...place]
    .sort(([one], [other]) => one - other)
    .flatMap(([line, pieces]) => pieces.map((shown) => `${line + 1}: ${shown}`))
    .join("\n");
}

/** Something shown under one heading: a picture, or a text, of which a page may hold a piece. */
export interface PageSection {
  readonly heading: string;
  readonly content: string | Picture;
  readonly handle: string;
}

export interface PagePiece {
  readonly section: PageSection;
  readonly from: number;
  readonly to: number;
}

/** Everything around a piece except its heading: brackets, numbers, the closing line. */
const FRAME_CHARACTERS = 60;
/** The line below a piece that is not the end of its text, without the handle. */
const REST_CHARACTERS = 80;
/** Only the last piece of a text may be shorter. */
const SHORTEST_PIECE = 500;
/** If a text would get less room than this, it moves to the next page. */
const LEAST_SHARE = 1000;
/** A picture of the usual size in tokens, at four characters each, as the client counts an MCP tool's answer. */
const PICTURE_CHARACTERS = 6400;

/** Sections on one page share it: a short one is shown whole, and the room it leaves goes to the longer ones. The pieces of a section joined are its text. */
export function layOutPages(
  sections: readonly PageSection[],
  pageCharacters: number,
): readonly (readonly PagePiece[])[] {
  const pages: (readonly PagePiece[])[] = [];
  let open: readonly PagePiece[] = sections.map((section) => ({ section, from: 0, to: measure(section) }));
  while (open.length > 0) {
    const count = countFitting(open, pageCharacters);
    const page = sharePage(open.slice(0, count), pageCharacters);
    pages.push(page);
    const rests = page.map(({ section, to }) => ({ section, from: to, to: measure(section) }));
    open = [...rests.filter(({ from, to }) => from < to), ...open.slice(count)];
  }
  return pages;
}

export function isLast({ section, to }: PagePiece): boolean {
  return to === measure(section);
}

function measure({ content }: PageSection): number {
  return typeof content === "string" ? content.length : 0;
}

/** How many of the next sections, in order, can share the page; at least one. */
function countFitting(rests: readonly PagePiece[], pageCharacters: number): number {
  let room = pageCharacters;
  const count = rests.findIndex((rest) => {
    const least = frameOf(rest.section) + noteOf(rest.section) + LEAST_SHARE;
    room -= isPicture(rest) ? weigh(rest) : Math.min(weigh(rest), least);
    return room < 0;
  });
  return count < 0 ? rests.length : Math.max(1, count);
}

/** Pictures first, because they cannot be split; then shorter texts before longer ones, which get the remaining room. */
function sharePage(rests: readonly PagePiece[], pageCharacters: number): readonly PagePiece[] {
  const places = rests.map((rest, place) => ({ rest, place, rank: isPicture(rest) ? 0 : weigh(rest) }));
  places.sort((one, other) => one.rank - other.rank);
  let room = pageCharacters;
  const pieces = places.map(({ rest, place }, index) => {
    const piece = cutPiece(rest, Math.floor(room / (places.length - index)));
    room -= weigh(piece);
    return { piece, place };
  });
  return pieces.sort((one, other) => one.place - other.place).map(({ piece }) => piece);
}

function cutPiece(rest: PagePiece, share: number): PagePiece {
  const { section, from } = rest;
  if (typeof section.content !== "string" || weigh(rest) <= share) return rest;
  const room = Math.max(SHORTEST_PIECE, share - frameOf(section) - noteOf(section));
  return { section, from, to: findCut(section.content, from, room) };
}

function isPicture({ section }: PagePiece): boolean {
  return typeof section.content !== "string";
}

function weigh(piece: PagePiece): number {
  const { section, from, to } = piece;
  const body = isPicture(piece) ? PICTURE_CHARACTERS : to - from;
  return frameOf(section) + body + (isLast(piece) ? 0 : noteOf(section));
}

function frameOf({ heading }: PageSection): number {
  return heading.length + FRAME_CHARACTERS;
}

function noteOf({ handle }: PageSection): number {
  return handle.length + REST_CHARACTERS;
}

/** Where a page that begins at `from` ends: at a line end if there is one in the second half of the room, never within a character. */
function findCut(text: string, from: number, room: number): number {
  if (text.length - from <= room) return text.length;
  const to = from + room;
  // Search only this part: searching the whole text backwards would scan it for every page.
  const half = from + Math.floor(room / 2);
  const lineEnd = text.slice(half, to).lastIndexOf("\n") + 1;
  if (lineEnd > 0) return half + lineEnd;
  return isHigh(text.charCodeAt(to - 1)) ? to - 1 : to;
}
