import { findNearest } from "./find-nearest.ts";
import { layOutPages, type Piece, type Section } from "./lay-out-pages.ts";
import { selectText } from "./page-text.ts";
import type { Missing, Part, Picked } from "./pick-parts.ts";
import { type Picture, parsePicture } from "./picture.ts";
import type { RecallRequest } from "./recall-request.ts";

/** What a model is answered: texts and pictures in their order, or, in words, what was wrong. */
export type RecallAnswer =
  | { readonly isError: false; readonly blocks: readonly (string | Picture)[] }
  | { readonly isError: true; readonly words: string };

export interface AnswerTerms {
  /** Every handle under which something is kept; only looked at where one is not found. */
  readonly known: Iterable<string>;
  /** The whole answer has no more characters. */
  readonly pageCharacters: number;
}

/** Every wanted text under a heading of its own, a page of them at a time; an error where nothing at all was found. */
export function answerRecall(request: RecallRequest, picked: readonly Picked[], terms: AnswerTerms): RecallAnswer {
  const parts = picked.flatMap((each) => ("parts" in each ? each.parts : []));
  const missing = picked.flatMap((each) => ("missing" in each ? [explain(each.missing, terms.known)] : []));
  const sections = toSections(parts, request);
  if (parts.length === 0)
    return { isError: true, words: `${missing.join("\n")}${missing.some(isUnknown) ? HINT : ""}` };
  if (sections.length === 0) return { isError: true, words: parts.map(countLines).join("\n") };
  const remarks = missing.map((words) => `[${words}]`);
  const room = terms.pageCharacters - remarks.join("\n").length;
  const pages = layOutPages(sections, Math.max(SMALLEST_ROOM, room));
  const page = pages[request.page - 1];
  if (page === undefined)
    return { isError: true, words: `There is no page ${request.page}: ${countPages(pages.length)}.` };
  const next = request.page < pages.length ? `; page ${request.page + 1} goes on, lines or pattern give a part` : "";
  const closing = pages.length === 1 ? [] : [`[page ${request.page} of ${pages.length}${next}]`];
  return { isError: false, blocks: joinTexts([...remarks, ...page.flatMap(renderPiece), ...closing]) };
}

export function refuse(problem: string): RecallAnswer {
  return { isError: true, words: problem };
}

const SMALLEST_ROOM = 2000;
const HINT =
  "\nHandles look like plimsoll:1a2b3c4d5e6f or call:abc123 and stand at the end of a folded result or of a line of the record.";

function isUnknown(words: string): boolean {
  return words.startsWith("Nothing is kept");
}

function explain({ name, why }: Missing, known: Iterable<string>): string {
  if (why !== "") return `There is no ${name}: ${why}`;
  const nearest = findNearest(name, known);
  const handle = name.replace(/#.*$/, "");
  const fitting = /^plimsoll:\w{6}/.test(handle) ? nearest.filter((each) => each.startsWith(handle)) : [];
  if (fitting.includes(handle)) return `What was kept under "${handle}" can no longer be read back as it was stored.`;
  if (fitting.length > 1) return `"${handle}" fits more than one: ${fitting.join(", ")}.`;
  return `Nothing is kept under "${name}".${nearest.length === 0 ? "" : ` Nearest known: ${nearest.join(", ")}.`}`;
}

/** A part in which nothing matches is left out where another has something. */
function toSections(parts: readonly Part[], { lines, pattern }: RecallRequest): readonly Section[] {
  if (pattern === "" && lines === undefined)
    return parts.map(({ name, text }) => ({ heading: name, content: parsePicture(text) ?? text }));
  const reached = parts.filter(({ text }) => pattern !== "" || (lines?.[0] ?? 1) <= text.split("\n").length);
  const selected = reached.map(({ name, text }) => ({ name, ...selectText(text, { lines, pattern }) }));
  const found = selected.filter(({ text }) => pattern === "" || text !== "");
  return (found.length > 0 ? found : selected).map(({ name, text, note = "" }) => ({
    heading: `${name}: ${note}`,
    content: text,
  }));
}

function countLines({ name, text }: Part): string {
  const count = text.split("\n").length;
  return `${name} has ${count} ${count === 1 ? "line" : "lines"}.`;
}

function countPages(count: number): string {
  return count === 1 ? "there is one page" : `there are ${count} pages`;
}

/** The client trims results: a line before and one after keep every blank of a text between them. */
function renderPiece({ section: { heading, content }, from, to }: Piece): readonly (string | Picture)[] {
  if (typeof content !== "string") return [`[${heading}: ${content.mediaType}, ${content.bytes} bytes]`, content];
  const isWhole = from === 0 && to === content.length;
  const size = isWhole ? `${to} characters` : `characters ${from + 1} to ${to} of ${content.length}`;
  return [`[${heading}: ${size}]\n${content.slice(from, to)}\n[end]`];
}

/** Texts that stand together are one. */
function joinTexts(blocks: readonly (string | Picture)[]): readonly (string | Picture)[] {
  const joined: (string | Picture)[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (typeof block === "string" && typeof last === "string") joined[joined.length - 1] = `${last}\n${block}`;
    else joined.push(block);
  }
  return joined;
}
