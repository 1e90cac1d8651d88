import { clipLine, toOneLine } from "../core/clip-text.ts";
import { isInquiry } from "./episodes/episode-ending.ts";
import { carriesOn, isSubstantial } from "./episodes/episode-rules.ts";
import { opensAsCorrection, type UserWords } from "./track-words.ts";

/** A command of the client, a tag that it or an editor put there, or a word to Plimsoll: none of them names work. */
const NO_SUBJECT =
  /^\s*(?:\/[\w:-]+\s*$|\/(?:plimsoll|caveman|compact|clear|model|help|context|cost)\b|<[\w-]+|\[[A-Z][\w ]+\])/;
const TO_PLIMSOLL = /^\W*(?:(?:hey|ok(?:ay)?|please)[, ]+)?plimsoll\b/i;
/** An answer to what was asked back, or a remark on how to go on. */
const ANSWERS =
  /\b(?:have|has) been (?:added|done|set|updated|installed)\b|^(?:y(?:es|eah|ep)?|no(?:pe)?|ok(?:ay)?|sure|option \S{1,2}|[a-d1-9])\b[\s.,!)]*(?:\S+\s*){0,4}$/i;
const COMMAND = /^\s*\/([\w:-]+)\s+/;
const HEADING = /^\s{0,3}#{1,6}\s+(\S.*)$/m;
/** "Plan: " before the title says what the text is, not what it is about. */
const NAMES_KIND = /^(?:\w{1,20} )?(?:plan|spec(?:ification)?|issue|task|design)(?: #?\d{1,9})?:\s+(?=\S)/i;
const LEAST_WORDS = 3;

/** The newest words of the user that name what the session is about, with the request after which they came. */
export function findSubject({ words }: { readonly words: readonly UserWords[] }): UserWords | undefined {
  const named = words.filter(
    ({ text, answers = "" }) => namesSubject(text) && !(answers !== "" && ANSWERS.test(text.trim())),
  );
  // A question or an outcry on the way is not what the session is about.
  return named.findLast(({ text }) => !isInquiry(text) && !opensAsCorrection(text)) ?? named.at(-1);
}

function namesSubject(text: string): boolean {
  const line = toOneLine(text);
  if (NO_SUBJECT.test(line) || TO_PLIMSOLL.test(line) || ANSWERS.test(line)) return false;
  const asked = line.replace(COMMAND, "");
  return isSubstantial(asked) && !carriesOn(asked) && asked.split(" ").length >= LEAST_WORDS;
}

const POLITE =
  /^(?:(?:ok(?:ay)?|so|now|then|and|also|great|good|thanks?|thank you|hi|hey|hello|please|yes|no|well|alright|perfect)[\s,.!:-]{1,4}){0,5}(?:(?:can|could|would|will) (?:you|we)(?: please)? |please |i(?:['’]d| would) like (?:you )?to |i (?:want|need) (?:you )?to |let['’]?s |we (?:need|have) to )?/i;
const CLAUSE = /[.!?;:](?=\s|$)|\s[–—-]\s|,\s(?=(?:and|but|so|because|since|which|then)\b)/;

/** Longer texts are templates and pastes: what they want stands at their end, unless their first line says that a text follows. */
const LONG_CHARACTERS = 600;
const LEADS_IN = /^[^\n]{0,120}(?:plan|spec|issue|task|document|following|below)[^\n]{0,40}:\s*$/im;

/** A request's title: the heading of a text that it leads in, the end of a pasted one, otherwise its first clause without courtesies. Empty if it names nothing. */
export function describeSubject(asked: string, width: number): string {
  if (NO_SUBJECT.test(asked) || TO_PLIMSOLL.test(asked)) return "";
  const words = asked.replace(COMMAND, "");
  const [start = ""] = words.trim().split("\n", 1);
  const heading = LEADS_IN.test(start) || words.trimStart().startsWith("#") ? HEADING.exec(words)?.[1] : undefined;
  if (heading === undefined && words.length > LONG_CHARACTERS) {
    const line = toOneLine(words).replace(/["\s]+$/, "");
    return `…${line.slice(1 - width).replace(/^\S{0,15}\s/, "")}`;
  }
  const [first = ""] = toOneLine(heading?.replace(NAMES_KIND, "") ?? words.replace(/^[\s>*#"-]+/, ""))
    .replace(POLITE, "")
    .split(CLAUSE, 1);
  const title = first.trim();
  return title.split(" ").length < 2 && heading === undefined ? "" : clipLine(title, width);
}
