import { clipLine, toOneLine } from "../../core/clip-text.ts";

/** Either side of a change shows so much of what it replaced. */
const MAX_SIDE_CHARACTERS = 44;
/** What stands behind it is told where there is room left. */
const MAX_CHARACTERS = 80;
const LEAST_TAIL_CHARACTERS = 8;
/** What stands before the change says where it is. */
const MAX_LEAD_CHARACTERS = 40;
const LEAD_START_CHARACTERS = 14;
/** Two lines that share less than this are not the same line before and after. */
const LEAST_SHARED = 0.5;
/** Lines beyond are not compared with each other: neither is so long by hand. */
const MAX_COMPARED_LINES = 40;
const MAX_LINE_CHARACTERS = 400;

/** Of the lines that went the one that this line was, as far as they tell; `undefined` where none is like it. */
export function findCounterpart(line: string, gone: readonly string[]): string | undefined {
  let best: { readonly old: string; readonly shared: number } | undefined;
  for (const old of gone.slice(0, MAX_COMPARED_LINES)) {
    if (Math.max(old.length, line.length) > MAX_LINE_CHARACTERS) continue;
    const { head, tail } = split(old, line);
    const shared = (head.length + tail.length) / Math.max(old.length, line.length);
    if (shared >= LEAST_SHARED && shared > (best?.shared ?? 0)) best = { old, shared };
  }
  return best?.old;
}

/** `const retries = 3 -> 5`: the words that changed, behind what stands before them; `a, + b` where nothing went. */
export function renderShift(old: string, line: string): string {
  const [before, after] = [old, line].map((text) => toOneLine(text.slice(0, MAX_LINE_CHARACTERS)));
  if (before === undefined || after === undefined) return "";
  const { head, tail } = split(before, after);
  const [from = "", to = ""] = [before, after].map((text) =>
    clipLine(text.slice(head.length, text.length - tail.length), MAX_SIDE_CHARACTERS),
  );
  // A word in front of a line that stays says nothing without the line.
  if (head === "" && (from === "" || to === "")) return clipLine(after, MAX_CHARACTERS);
  const lead = shortenLead(head);
  const apart = lead === "" || lead.endsWith(" ") ? lead : `${lead} `;
  if (from === "" || to === "") return `${apart}${from === "" ? `+ ${to}` : `without ${from}`}`;
  const told = `${lead}${from} -> ${to}`;
  return told.length >= MAX_CHARACTERS - LEAST_TAIL_CHARACTERS ? told : clipLine(`${told}${tail}`, MAX_CHARACTERS);
}

function shortenLead(head: string): string {
  if (head.length <= MAX_LEAD_CHARACTERS) return head;
  const end = head.slice(-(MAX_LEAD_CHARACTERS - LEAD_START_CHARACTERS - 1)).replace(/^[\uDC00-\uDFFF]/, "");
  return `${clipLine(head, LEAD_START_CHARACTERS)}${end}`;
}

/** What two lines begin and end with alike, in whole words and signs. */
function split(old: string, line: string): { readonly head: string; readonly tail: string } {
  const [before, after] = [listWords(old), listWords(line)];
  const least = Math.min(before.length, after.length);
  let first = 0;
  while (first < least && before[first] === after[first]) first++;
  let last = 0;
  while (last < least - first && before[before.length - 1 - last] === after[after.length - 1 - last]) last++;
  return { head: before.slice(0, first).join(""), tail: before.slice(before.length - last).join("") };
}

function listWords(line: string): readonly string[] {
  return line.match(/[\p{L}\p{N}_$.#-]+|\s+|[^\p{L}\p{N}_$.#\s-]/gu) ?? [];
}
