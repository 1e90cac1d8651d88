import { clipText } from "../core/clip-text.ts";
import { readClosing } from "./closing.ts";
import { movesOn } from "./episode-ending.ts";
import type { Turn } from "./track-turn.ts";

const MAX_OPTION = 160;
/** A reply that is nothing but the name of an option, begins with it, or calls it one. */
const PICKS =
  /^(?:option |number |#)?([a-d]|\d{1,2})(?:[.)!,]|$|\s(?=does|is|seems|looks|sounds|please))|\b(?:option|do|go with|pick|choose)\s#?([a-d]|\d{1,2})(?=\s|[.!,]|$)/i;

/**
 * The question with which the model had ended when the person replied; where the reply names an option by its number or letter, with
 * that option's own words. Empty where nothing was asked.
 */
export function findAnswered(turn: Turn, reply: string): string {
  if (turn.last === "asked") return turn.question;
  if (turn.last !== "said") return "";
  const [, first, later] = PICKS.exec(reply.trim()) ?? [];
  const name = first ?? later;
  const option = name === undefined ? "" : findOption(turn.said, name);
  const closing = readClosing(turn.said, turn);
  if (closing.kind !== "asks" || movesOn(closing.words)) return option;
  return option === "" ? closing.words : `${closing.words} (${option})`;
}

function findOption(said: string, name: string): string {
  const line = said
    .split("\n")
    .map((each) => each.trim().replace(/[*_`#]/g, ""))
    .findLast(
      (each) =>
        each
          .toLowerCase()
          .replace(/^(?:[-•]\s*)?(?:option )?\(?/, "")
          .search(startOf(name)) === 0,
    );
  return line === undefined ? "" : clipText(line, MAX_OPTION);
}

function startOf(name: string): RegExp {
  return new RegExp(`^${name.toLowerCase()}[.):—-]\\s`);
}
