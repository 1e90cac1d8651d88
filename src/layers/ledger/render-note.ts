import { renderLine } from "../history/markers.ts";
import type { LedgerStyle } from "./describe-call.ts";
import { renderSaid, renderShortened } from "./ledger-text.ts";
import type { Line } from "./piece.ts";
import { stripMarkup } from "./strip-markup.ts";

/** Reminders and attachments that are longer are fetched like results. */
const MAX_NOTE_CHARACTERS = 400;
const CLIPPED_NOTE_CHARACTERS = 80;

/** What the host said: what it says about the work, as far as the vocabulary knows; a short note whole; of others the beginning. */
export function renderNote(text: string, { vocabulary, briefCharacters }: LedgerStyle): Line {
  const sections = [{ part: "", text } as const];
  const meaning = vocabulary.interpretNote?.(text);
  if (meaning?.text === "" || text.trim() === "") return { kind: "line", text: "", label: "notes", sections };
  const words = meaning === undefined ? text : stripMarkup(meaning.text);
  const most = meaning === undefined ? MAX_NOTE_CHARACTERS : Math.max(MAX_NOTE_CHARACTERS, briefCharacters);
  const room = words.length <= most ? most : meaning === undefined ? CLIPPED_NOTE_CHARACTERS : most;
  const line = renderLine(words, room);
  const shown = words.length <= most ? line : renderShortened(line, text.length);
  return {
    kind: "line",
    text: renderSaid(meaning?.isReport === true ? "report" : "note", shown),
    label: "notes",
    sections,
  };
}
