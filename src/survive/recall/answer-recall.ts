import { measureDistance } from "../../core/edit-distance.ts";
import { isObject, type Json, parseJson } from "../../core/json.ts";
import { renderCount } from "../../core/render-count.ts";
import { type Hit, matchLines } from "./match-lines.ts";
import {
  isLast,
  layOutPages,
  PAGE_CHARACTERS,
  type PagePiece,
  type PageSection,
  type Selected,
  selectHits,
  selectRanges,
} from "./page-text.ts";
import type { Missing, Part, Picked } from "./pick-parts.ts";
import { type Picture, parsePicture } from "./picture.ts";
import type { RecallRequest } from "./recall-request.ts";

/** The answer to a model: texts and pictures in order, or a sentence on what was wrong. */
export type RecallAnswer =
  | { readonly isError: false; readonly blocks: readonly (string | Picture)[] }
  | { readonly isError: true; readonly words: string };

/** Renders every wanted text under its own heading, one page at a time. `known`, every handle that exists, is read only if a wanted one is not found. */
export function answerRecall(
  request: RecallRequest,
  picked: readonly Picked[],
  { known, pageCharacters }: { readonly known: Iterable<string>; readonly pageCharacters: number },
): RecallAnswer {
  const parts = picked.flatMap((each) => ("parts" in each ? each.parts : []));
  const missing = picked.flatMap((each) => ("missing" in each ? [explain(each.missing, known)] : []));
  const { sections, note } = selectSections(parts, request);
  if (parts.length === 0)
    return {
      isError: true,
      words: `${missing.join("\n")}${missing.some((why) => why.startsWith(UNKNOWN)) ? HINT : ""}`,
    };
  if (sections.length === 0) {
    const counts = parts.map((part) => `${part.name} has ${renderCount(countLines(part), "line")}.`);
    return { isError: true, words: counts.join("\n") };
  }
  const remarks = [...missing, ...(note === "" ? [] : [note])].map((words) => `[${words}]`);
  const isShared = sections.length > 1;
  // The best matches come first, and a list of contents is there to choose from.
  const isRarelyReadWhole = request.pattern !== "" || parts.every(({ behind }) => behind !== undefined);
  const mostCharacters = isRarelyReadWhole ? Math.min(PAGE_CHARACTERS, pageCharacters) : pageCharacters;
  const room = mostCharacters - remarks.join("\n").length - (isShared ? CLOSING_CHARACTERS : 0);
  const pages = layOutPages(sections, Math.max(SMALLEST_ROOM, room));
  const page = pages[request.page - 1];
  if (page === undefined) {
    const count = pages.length === 1 ? "there is one page" : `there are ${pages.length} pages`;
    return { isError: true, words: `There is no page ${request.page}: ${count}.` };
  }
  const blocks = page.flatMap((piece) => [...renderPiece(piece), ...(isShared ? renderRest(piece, request.page) : [])]);
  return { isError: false, blocks: joinTexts([...remarks, ...blocks, ...renderPageLine(pages, request.page)]) };
}

function renderRest(piece: PagePiece, page: number): readonly string[] {
  const { section, to } = piece;
  if (isLast(piece) || typeof section.content !== "string") return [];
  return [
    `[${section.content.length - to} characters left: ask for page ${page + 1} of the same handles, or for ${section.handle} alone]`,
  ];
}

function renderPageLine(pages: readonly (readonly PagePiece[])[], page: number): readonly string[] {
  if (pages.length === 1) return [];
  const waiting = pages.slice(page).flatMap((later) => later.filter(({ from }) => from === 0));
  const [first] = waiting;
  const begin =
    first === undefined ? "" : `; ${waiting.length} more texts follow, starting with ${first.section.handle}`;
  const next = page < pages.length ? `; page ${page + 1} continues; pass lines or pattern for a part${begin}` : "";
  return [`[page ${page} of ${pages.length}${next}]`];
}

const SMALLEST_ROOM = 1800;
/** The line at the end, if the answer holds several texts. */
const CLOSING_CHARACTERS = 200;
const HINT =
  "\nHandles look like plimsoll:1a2b3c4d5e6f or call:abc123. They appear at the end of a folded result, or at the end of a line in the record.";

const UNKNOWN = "Nothing is kept under";

function explain({ name, why }: Missing, known: Iterable<string>): string {
  if (why !== "") return `There is no ${name}: ${why}`;
  const nearest = findNearest(name, known);
  const handle = name.replace(/#.*$/, "");
  const fitting = /^plimsoll:\w{6}/.test(handle) ? nearest.filter((each) => each.startsWith(handle)) : [];
  if (fitting.includes(handle))
    return `What was kept under "${handle}" has changed since it was stored, and cannot be returned.`;
  if (fitting.length > 1) return `"${handle}" matches more than one handle: ${fitting.join(", ")}.`;
  return `${UNKNOWN} "${name}".${nearest.length === 0 ? "" : ` Nearest known: ${nearest.join(", ")}.`}`;
}

/** The client trims results. A line before and a line after the text keep all of its blanks. */
function renderPiece({ section: { heading, content }, from, to }: PagePiece): readonly (string | Picture)[] {
  if (typeof content !== "string") return [`[${heading}: ${content.mediaType}, ${content.bytes} bytes]`, content];
  const isWhole = from === 0 && to === content.length;
  const size = isWhole ? `${to} characters` : `characters ${from + 1} to ${to} of ${content.length}`;
  return [`[${heading}: ${size}]\n${content.slice(from, to)}\n[end]`];
}

function joinTexts(blocks: readonly (string | Picture)[]): readonly (string | Picture)[] {
  const joined: (string | Picture)[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (typeof block === "string" && typeof last === "string") joined[joined.length - 1] = `${last}\n${block}`;
    else joined.push(block);
  }
  return joined;
}

/** The wanted parts, each under its heading: the whole as stored, the lines, or the matches, with a note on how a pattern was taken. */
function selectSections(parts: readonly Part[], { lines, pattern }: RecallRequest) {
  if (pattern !== "") return selectMatching(parts, pattern);
  if (lines === undefined)
    return {
      sections: parts.map(({ name, handle, text }) => ({ heading: name, handle, content: parsePicture(text) ?? text })),
      note: "",
    };
  const selected = parts.map((part) => ({ part, found: selectRanges(toReadable(part), lines) }));
  const reached = selected.filter(({ found }) => found.note !== "");
  return { sections: reached.map(({ part, found }) => toSection(part, found)), note: "" };
}

function countLines(part: Part): number {
  return toReadable(part).split("\n").length;
}

/** Searches everything behind a handle; the text with the best match comes first. If nothing matches at all, each handle says how much was searched. */
function selectMatching(parts: readonly Part[], pattern: string) {
  const searched = parts.flatMap(listSearched).map((part) => ({ ...part, text: toReadable(part), isCall: false }));
  const { hits, note } = matchLines(
    searched.map(({ text }) => text),
    pattern,
  );
  if (hits.length === 0) return { sections: parts.map(renderNoMatch), note };
  const byText = new Map<number, Hit[]>();
  for (const hit of hits) byText.set(hit.text, [...(byText.get(hit.text) ?? []), hit]);
  const sections = [...byText].flatMap(([at, found]) => {
    const part = searched[at];
    return part === undefined ? [] : [toSection(part, selectHits(part.text, found))];
  });
  return { sections, note };
}

function renderNoMatch(part: Part): PageSection {
  const count = listSearched(part).reduce((sum, each) => sum + countLines(each), 0);
  return { heading: `${part.name}: 0 of ${count} lines match`, handle: part.handle, content: "" };
}

/** A picture has no lines. */
function listSearched(part: Part): readonly Part[] {
  return (part.behind ?? [part]).filter(({ text }) => parsePicture(text) === undefined);
}

function toSection({ name, handle }: Part, { text, note }: Selected): PageSection {
  return { heading: `${name}: ${note}`, handle, content: text };
}

function toReadable({ text, isCall }: Part): string {
  return isCall ? renderReadableCall(text) : text;
}

const MOST = 3;

/** The known handles that a wrong one may have meant, the likeliest first. */
export function findNearest(name: string, known: Iterable<string>): readonly string[] {
  const word = strip(name);
  const judged = [...new Set(known)].map((handle) => ({ handle, distance: judge(word, strip(handle)) }));
  judged.sort((one, other) => one.distance - other.distance);
  return judged.slice(0, MOST).map(({ handle }) => handle);
}

/** A handle that was cut short is likelier than one that was mistyped. */
function judge(word: string, candidate: string): number {
  if (word.length >= 2 && (candidate.startsWith(word) || word.startsWith(candidate))) return 0;
  return measureDistance(word, candidate);
}

function strip(handle: string): string {
  return handle
    .replace(/^(?:plimsoll|call):/, "")
    .replace(/^toolu_/, "")
    .replace(/#.*$/, "")
    .slice(0, 64);
}

/** No tool's input is nested deeper; anything deeper stays as stored. */
const MAX_DEPTH = 30;

/** A tool's input as lines to search and count, each name followed by its value. It is stored as JSON, where a whole file is one line. */
export function renderReadableCall(stored: string): string {
  const input = parseJson(stored);
  const lines: string[] = [];
  return isObject(input) && putFields(Object.entries(input), lines, 1) ? lines.join("\n") : stored;
}

/** Names are not joined to paths: a long one would be repeated for each of its values. */
function putFields(fields: readonly (readonly [string, Json | undefined])[], lines: string[], depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  return fields.every(([name, value]) => {
    if (typeof value === "object" && value !== null) {
      lines.push(`${name}:`);
      const inner = Array.isArray(value)
        ? value.map((item: Json, index): [string, Json] => [`[${index}]`, item])
        : Object.entries(value);
      return putFields(inner, lines, depth + 1);
    }
    const text = typeof value === "string" ? value : JSON.stringify(value);
    lines.push(text.includes("\n") ? `${name}:\n${text}` : `${name}: ${text}`);
    return true;
  });
}
