import type { Picture } from "./picture.ts";

/** Something that is shown under one heading: a text, of which a page may hold a piece, or a picture. */
export interface Section {
  readonly heading: string;
  readonly content: string | Picture;
}

/** What a page holds of a section. */
export interface Piece {
  readonly section: Section;
  readonly from: number;
  readonly to: number;
}

export type PiecePage = readonly Piece[];

/** What stands around a piece beside its heading: brackets, numbers, the closing line. */
const FRAME_CHARACTERS = 60;
/** A beginning that is shorter is better off on the next page. */
const SHORTEST_PIECE = 500;
/** A picture of the usual size in tokens, at four characters each, as the client counts an MCP tool's answer. */
const PICTURE_CHARACTERS = 6400;

/** Sections one after another onto pages of at most so many characters, frames included. Their pieces joined are the texts. */
export function layOutPages(sections: readonly Section[], pageCharacters: number): readonly PiecePage[] {
  const pages: Piece[][] = [[]];
  let room = pageCharacters;
  const beginPageUnless = (needed: number): void => {
    if (room >= needed || pages.at(-1)?.length === 0) return;
    pages.push([]);
    room = pageCharacters;
  };
  const put = (piece: Piece, weight: number): void => {
    pages.at(-1)?.push(piece);
    room -= weight;
  };
  for (const section of sections) {
    const { heading, content } = section;
    const frame = heading.length + FRAME_CHARACTERS;
    if (typeof content !== "string") {
      beginPageUnless(frame + PICTURE_CHARACTERS);
      put({ section, from: 0, to: 0 }, frame + PICTURE_CHARACTERS);
      continue;
    }
    let from = 0;
    do {
      beginPageUnless(frame + Math.min(SHORTEST_PIECE, content.length - from));
      const to = findCut(content, from, Math.max(SHORTEST_PIECE, room - frame));
      put({ section, from, to }, frame + to - from);
      from = to;
    } while (from < content.length);
  }
  return pages;
}

/**
 * Where a page that begins at `from` ends: at a line end where there is one in the second half of the room, never within a
 * character.
 */
export function findCut(text: string, from: number, room: number): number {
  if (text.length - from <= room) return text.length;
  const to = from + room;
  // Looked for in a piece of it: to search the whole backwards would go through it for every page.
  const half = from + Math.floor(room / 2);
  const lineEnd = text.slice(half, to).lastIndexOf("\n") + 1;
  if (lineEnd > 0) return half + lineEnd;
  return isHighSurrogate(text.charCodeAt(to - 1)) ? to - 1 : to;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}
