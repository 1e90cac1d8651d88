import type { Section } from "./lay-out-pages.ts";
import { type PageWish, selectText } from "./page-text.ts";
import type { Part } from "./pick-parts.ts";
import { parsePicture } from "./picture.ts";
import { renderReadableCall } from "./readable-call.ts";
import type { RecallRequest } from "./recall-request.ts";

/** What of the parts is wanted, each under its heading: the whole as it was stored, the lines, or what matches. */
export function selectSections(parts: readonly Part[], { lines, pattern }: RecallRequest): readonly Section[] {
  if (pattern !== "") return selectMatching(parts, pattern);
  if (lines === undefined)
    return parts.map(({ name, handle, text }) => ({ heading: name, handle, content: parsePicture(text) ?? text }));
  const reached = parts.filter((part) => lines[0] <= countLines(part));
  return reached.map((part) => select(part, { lines }));
}

/** As it is counted in lines. */
export function countLines(part: Part): number {
  return toReadable(part).split("\n").length;
}

/**
 * Everything behind a handle is searched, and a text in which nothing matches left out. Where that is all of them, each handle
 * says how much was searched in vain.
 */
function selectMatching(parts: readonly Part[], pattern: string): readonly Section[] {
  const found = parts.flatMap(listSearched).map((part) => select(part, { pattern }));
  const matching = found.filter(({ content }) => content !== "");
  return matching.length > 0 ? matching : parts.map(tellNoMatch);
}

function tellNoMatch(part: Part): Section {
  const count = listSearched(part).reduce((sum, each) => sum + countLines(each), 0);
  return { heading: `${part.name}: 0 of ${count} lines match`, handle: part.handle, content: "" };
}

/** A picture has no lines. */
function listSearched(part: Part): readonly Part[] {
  return (part.behind ?? [part]).filter(({ text }) => parsePicture(text) === undefined);
}

function select(part: Part, wish: PageWish): Section {
  const { text, note = "" } = selectText(toReadable(part), wish);
  return { heading: `${part.name}: ${note}`, handle: part.handle, content: text };
}

function toReadable({ text, isCall }: Part): string {
  return isCall ? renderReadableCall(text) : text;
}
