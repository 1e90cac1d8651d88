import { clipText, sliceWhole, toOneLine } from "./clip-text.ts";
import { findTakenBack } from "./sentences.ts";
import { findRuleSentences } from "./standing-rules.ts";

/** With less room than this a tail would say nothing. */
const LEAST_CHARACTERS = 160;
const HEAD_SHARE = 0.6;
const RULES_SHARE = 1 / 3;
const HEADINGS_SHARE = 1 / 8;
const MAX_HEADING_CHARACTERS = 60;
/** How far a cut moves for the end of a sentence. */
const REACH = 0.4;
/** What the note about the part left out takes without headings and rules. */
const NOTE_CHARACTERS = 40;

/**
 * Both ends of a long text, cut at sentences, and between them how much was left out, its headings, and sentences in it that bind
 * later work or take an earlier claim back, word for word. A text that was shortened before is shortened again in the same way.
 */
export function clipEnds(text: string, most: number): string {
  if (text.length <= most) return text;
  if (most < LEAST_CHARACTERS) return clipText(text, most);
  const rules = takeUntil(
    [...findRuleSentences(text), ...findTakenBack(text)].toReversed(),
    most * RULES_SHARE,
  ).toReversed();
  const headings = takeUntil(findHeadings(text), most * HEADINGS_SHARE);
  const named = [...headings, ...rules].reduce((sum, each) => sum + each.length + 2, NOTE_CHARACTERS);
  const room = Math.max(LEAST_CHARACTERS / 2, most - named);
  const head = endAtSentence(sliceWhole(text, Math.floor(room * HEAD_SHARE)));
  const tail = startAtSentence(text.slice(-Math.floor(room * (1 - HEAD_SHARE))));
  const middle = text.slice(head.length, text.length - tail.length);
  const isHidden = (part: string): boolean => middle.includes(part) && !head.includes(part) && !tail.includes(part);
  const left = headings.filter(isHidden).join("; ");
  const note = `(… ${countLeft(middle)} characters left out${left === "" ? "" : `: ${left}`})`;
  return [head.trimEnd(), note, ...rules.filter(isHidden), tail.trimStart()].join("\n");
}

/** With what an earlier cut had left out of it. */
function countLeft(middle: string): number {
  const earlier = [...middle.matchAll(/\(… (\d{1,9}) characters left out/g)];
  return earlier.reduce((sum, [, characters = ""]) => sum + Number(characters), middle.length);
}

function findHeadings(text: string): readonly string[] {
  const lines = [...text.matchAll(/^[ \t]{0,3}#{1,4} +(\S[^\n]*)$/gm)].map(([, heading = ""]) => heading.trim());
  return [...new Set(lines.filter(({ length }) => length <= MAX_HEADING_CHARACTERS).map(toOneLine))];
}

function takeUntil(parts: readonly string[], room: number): readonly string[] {
  const kept: string[] = [];
  for (let at = 0, left = room; at < parts.length; at++) {
    const part = parts[at] ?? "";
    left -= part.length + 2;
    if (left < 0) break;
    kept.push(part);
  }
  return kept;
}

const SENTENCE_END = /[.!?:;)](?=\s)|\n/g;

function endAtSentence(head: string): string {
  const from = Math.floor(head.length * (1 - REACH));
  const end = [...head.slice(from).matchAll(SENTENCE_END)].at(-1);
  return end === undefined ? head.replace(/\s\S{0,40}$/, "") : head.slice(0, from + end.index + 1);
}

function startAtSentence(tail: string): string {
  const reached = tail.slice(0, Math.floor(tail.length * REACH));
  const [end] = reached.matchAll(SENTENCE_END);
  return end === undefined ? tail.replace(/^\S{0,40}\s|^[\uDC00-\uDFFF]/, "") : tail.slice(end.index + 1);
}
