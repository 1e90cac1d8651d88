import { clipText, toOneLine } from "../core/clip-text.ts";
import { stripCode } from "../core/sentences.ts";
import { splitSentences, takeEnd } from "./sentences.ts";

/** How a text of the model ends: with its next step, a question, waiting for something, or a final statement. */
export interface Closing {
  readonly kind: "announces" | "asks" | "awaits" | "ends";
  /** The sentences that say so, word for word; otherwise the last one. */
  readonly words: string;
}

const INTENDS =
  /^\W{0,4}(?:(?:now|next|then|first|good|great|perfect|ok(?:ay)?|alright|right|excellent|absolutely|so|also|finally|but|wait)[,.!:—-]{0,2}\s{1,3}){0,3}(?:let me|let['’]s|I(?:['’]ll| will|['’]m going to| am going to| need to| also need to| now need to| should)|we need to|time to|now\s(?!that|it|the|this|there|we have|you|all|both|everything|on|in|at|when|if|with|for|from|only|each|every|any|an?|no|your|our|has|have|is|are|shows?|works?|returns?|uses?)(?=\w)[a-z]{2,}(?:ing\b|\b))\s\S/i;
/** Addresses the person, or names a step that needs their word first. */
const SPEAKS_TO_PERSON =
  /\?\s*$|\b(?:let me know|let me explain|let me summari[sz]e|I['’]ll (?:wait|be|stop|leave|need)|I need (?:you|your)|need to (?:know|decide|ask)|let me (?:ask|know|answer)|(?:once|when|if|after|unless|until|as soon as) (?:you|that|it|they|the)\b)/i;
/** Asks without a question mark: an offer, or something only the person can do. */
const ASKS =
  /\b(?:if you(?:['’]d like| would like| want| prefer|['’]re ok(?:ay)?)\b.{0,40}\b(?:I|we)(?:['’]ll| can| could| will)|(?:reply|answer|respond) with|you(?:['’]ll| will)? need to (?:run|execute|restart|reload|set|add|log ?in|authenticate|approve|provide)|run (?:this|it|these) in (?:your|a|another) (?:own )?(?:terminal|shell)|let me know (?:if|which|how|what|when|once|whether)|(?:please )?(?:choose|pick|confirm|tell me|say) (?:which|what|whether|if|one)|which (?:one|option|approach) (?:do|would|should)|your call|up to you|waiting for your|ready (?:to|for|when)\b.{0,60}\byou)/i;
/** Asks the person to try the result: whether it works is not known yet. */
const HANDS_OVER =
  /^\W{0,4}(?:action\W{1,5})?(?:(?:now|then|so|please|go ahead and|you can now)[,:]?\s){0,2}(?:try|run|re-?run|test|restart|reload|refresh)\b(?! (?:passed|failed|succeeded)).{0,60}\b(?:again|now|yourself)\b|^\W{0,4}go ahead and (?:try|run|test)\b/i;
/** Something started that finishes by itself: a helper, a build, another party's review. */
const AWAITS =
  /\bi(?:['’]ll| will) (?:\w{1,12} ){0,2}(?:report|verify|check|review|continue|resume|follow up|come back|summari[sz]e|let you know|update you|pick up)\b.{0,80}\b(?:when|once|after|as soon as) (?:it|they|that|the \w{1,20}|all \w{1,20}|both)\b.{0,40}\b(?:is|are|has|have|comes?|finish(?:es)?|completes?|reports?|lands?|returns?|done|back)\b|\bwaiting (?:for|on) (?:the |its |their |all )?(?:\w{1,20} ){0,2}(?:agents?|subagents?|builds?|runs?|jobs?|checks?|results?|reviewers?|finders?)\b/i;
/** A question may be followed by a remark, or by the options to choose from. */
const REMARKS = 3;
const OPTION = /^\s{0,9}(?:[-*•]|\(?[a-d\d][.)]|\*\*(?:option )?[a-d\d])/i;
const MAX_WORDS = 300;
const AWAITED_CHARACTERS = 300;
/** The part of a text that is searched for its ending. */
const CLOSING_CHARACTERS = 1500;
const ANSWER_CHARACTERS = 400;
const MAX_OPTIONS = 3;

export interface ClosingFacts {
  /** Whether the model had finished with the text, if the host says. */
  readonly isTurnEnd?: boolean | undefined;
}

export function readClosing(text: string, { isTurnEnd }: ClosingFacts = {}): Closing {
  const tail = takeEnd(text, CLOSING_CHARACTERS);
  const sentences = splitSentences(tail);
  const last = sentences.at(-1) ?? "";
  if (isTurnEnd === false || (isTurnEnd === undefined && isAnnouncing(tail, last)))
    return { kind: "announces", words: joinLast(sentences) };
  const question = findAsking(tail, sentences, QUESTION);
  if (question !== "") return { kind: "asks", words: question };
  if (isAwaiting(tail)) return { kind: "awaits", words: sentences.findLast((words) => AWAITS.test(words)) ?? last };
  const asking = findAsking(tail, sentences, ASKS) || (sentences.findLast((words) => HANDS_OVER.test(words)) ?? "");
  return asking === "" ? { kind: "ends", words: last } : { kind: "asks", words: asking };
}

/** For hosts that do not mark the end of a turn: a text before a call is short and has no list, so others are answers. */
export function isAnswer(text: string): boolean {
  return text.length >= ANSWER_CHARACTERS || /^\s{0,9}(?:[-*•|#]|\d{1,2}[.)])\s/m.test(text);
}

/** A colon leads to the call that follows it. */
function isAnnouncing(tail: string, last: string): boolean {
  return (
    /[\w`)*]:[*_]{0,2}$/.test(tail) || (INTENDS.test(last) && !SPEAKS_TO_PERSON.test(last) && !HANDS_OVER.test(last))
  );
}

/** Adds the sentence before it, which gives the subject, if both fit. */
function joinLast(sentences: readonly string[]): string {
  const two = sentences.slice(-2).join(" ");
  return two.length <= MAX_WORDS ? two : (sentences.at(-1) ?? "");
}

const QUESTION = /\?[\s)*_"`]{0,4}$/;

/** The last sentence that asks, if only a remark or a list of options follows it. */
function findAsking(tail: string, sentences: readonly string[], asks: RegExp): string {
  const at = sentences.findLastIndex((sentence) => asks.test(sentence));
  if (at < 0) return "";
  const words = sentences[at] ?? "";
  const rest = tail.slice(tail.lastIndexOf(words) + words.length);
  const [sameLine = "", ...lines] = rest.split("\n").filter((line, index) => index === 0 || line.trim() !== "");
  const isFollowedByOptions = sameLine.trim() === "" && lines.length > 0 && lines.every((line) => OPTION.test(line));
  if (sentences.length - 1 - at >= REMARKS && !isFollowedByOptions) return "";
  return words.endsWith(":") ? sentences.slice(at, at + 1 + MAX_OPTIONS).join(" ") : words;
}

export function isAwaiting(text: string): boolean {
  return AWAITS.test(text.slice(-AWAITED_CHARACTERS));
}

/** Only the end of an answer says what is left; higher up it is a report. */
const TAIL_CHARACTERS = 1500;
const MAX_ITEMS = 6;
const MAX_ITEM_CHARACTERS = 200;

/** A line that introduces what is left: a heading, or a label with a colon. */
const LABEL = new RegExp(
  `^(?:${[
    "(?:what(?:['’]s| is) |the )?(?:(?:suggested|recommended|proposed|immediate|possible|concrete) )?next (?:(?:recommended|suggested|logical) )?(?:steps?|actions?|moves?|tasks?|phase|up)",
    "next",
    "what(?:['’]s| is) (?:next|left|missing|still (?:missing|open|left))",
    "what (?:remains|is next)",
    "(?:still )?(?:remaining|outstanding|pending|open|unfinished)(?: (?:work|steps?|tasks?|items?|to-?dos?|todo items|gaps?|blockers?|issues?|gates?|follow-ups?)(?:/\\w{1,20})?)?",
    "still (?:to do|to come|open|missing|left|outstanding|needed|pending)",
    "left(?: to do)?",
    "block(?:ed|ers?)",
    "to-?do(?:s| list| items)?",
    "(?:known )?(?:follow-ups?|gaps)(?: .{0,40}not (?:yet )?done)?",
    "not (?:yet )?(?:done|implemented|covered|started)(?: yet)?",
    "次(?:の(?:ステップ|手順|作業))?|残り(?:の(?:作業|タスク))?|残作業|未(?:完了|対応|実装)(?:の(?:作業|項目))?|今後の(?:作業|予定)",
  ].join("|")})(?: \\([^)]{1,40}\\))?(?:[:：]|\\s{1,3}[—–-](?=\\s))[*_]{0,2}\\s{0,3}(?<rest>.*)$`,
  "iu",
);
/** The same as a heading, which needs no colon. */
const HEADING_MARK = /^\s{0,3}(?:#{1,6}\s|\*\*[^*]{1,60}\*\*\s*$)/;
const SAYS_LEFT =
  /^(?:next,? (?:up |in the plan |per the plan ){0,3}(?:is|comes|I(?:['’]d|['’]ll| will| would| need to)|we(?:['’]ll| will| should| need to))\b|(?:I|we) (?:still|also) (?:need|have) to\b|(?:I|we) (?:haven['’]t|have not) \w{3,}|(?:there(?:['’]s| is| are) )?still (?:missing|to do|open|left|needs?|have to|outstanding)\b|not (?:yet )?(?:pushed|committed|merged|deployed|published)\b|(?:remaining|left to do|what(?:['’]s| is) (?:left|missing|next)|what remains)\b.{0,40}?\b(?:is|are)\b (?!in\b|pre-?existing|intentional))/i;
/** Only in capitals: otherwise it is the name of a list or an app. */
const TODO = /^TODO\b.{0,3}\S/;
/** With the subject first: "The docs are still missing", "Task 4 remains pending". */
const STANDS_OPEN =
  /^(?!.*\b(?:any ?more|by design|intentional)).{3,160}\b(?:(?:is|are) still (?:missing|to be done|outstanding|open)|(?:is|are|has|have) (?:still )?not (?:yet )?(?:been )?(?:implemented|written|wired|done|covered|started|migrated|ported|tested)(?: yet)?|(?:still )?needs? to be (?:implemented|written|wired|done|added|ported|migrated|tested|updated)|remains? (?:open|pending|to be done|to do|unresolved)|comes next|is next)[.!]?$/i;
/** Says that nothing is left, is about something else, or asks. */
const NOT_LEFT =
  /^(?:none|nothing|n\/a|no\b|all (?:done|clear)|なし)|\b(?:nothing|no(?:thing)? (?:more|else|further|remaining|open|pending)|none|not? (?:any )?(?:remaining|open|pending)) (?:is |are |left|to do|remain|open|tasks?|items?|work|issues?)|\bnext (?:question|time|agent|session|\.js)\b|\?\s{0,4}$/i;
const MARKS = /^(?:[\s>#*_•▶►→-]|\p{Extended_Pictographic}|\u{FE0F}){1,12}|^\d{1,3}[.)]\s/u;
const LISTED = /^\s{0,9}(?:[-*•]|\d{1,3}[.)]|\[ \]|☐)\s{1,4}(?:\[ \]\s|☐\s)?(?<item>\S.*)$/u;
const CHECKED = /^\s{0,9}(?:[-*•]|\d{1,3}[.)])?\s{0,4}(?:\[x\]|☑|✅|✔)/iu;

/** What the model named as left or next at the end of an answer, in its words. Empty if it named nothing, which does not mean that it is done. */
export function readRemainder(text: string): readonly string[] {
  const lines = stripCode(text).trimEnd().slice(-TAIL_CHARACTERS).split("\n");
  const found: string[] = [];
  for (const [at, line] of lines.entries()) {
    const rest = readLabel(line);
    const named = rest === undefined ? readSentences(line) : [rest];
    found.push(...named.flatMap((item) => (/^$|[:：]$/u.test(item) ? listBelow(item, lines.slice(at + 1)) : [item])));
  }
  const items = found.map((item) => clipText(toOneLine(plain(item)), MAX_ITEM_CHARACTERS));
  return [...new Set(items.filter((item) => /\p{L}{2}/u.test(item) && !NOT_LEFT.test(item)))].slice(0, MAX_ITEMS);
}

/** What follows a label on its line; empty if the lines below say it; `undefined` if the line is not a label. */
function readLabel(line: string): string | undefined {
  const isHeading = HEADING_MARK.test(line);
  const words = plain(line);
  const found = LABEL.exec(isHeading && !/[:：]/.test(words) ? `${words}:` : words);
  return found?.groups?.rest?.trim();
}

/** The list right below an introducing line, or the first line if there is no list. */
function listBelow(lead: string, lines: readonly string[]): readonly string[] {
  const items: string[] = [];
  for (const line of lines) {
    if (line.trim() === "" || CHECKED.test(line)) continue;
    const item = LISTED.exec(line)?.groups?.item;
    if (item === undefined && (items.length > 0 || /^\s{0,3}(?:#|\||-{3})/.test(line))) break;
    items.push(item ?? line);
    if (item === undefined && !/[:：]$/u.test(plain(line))) break;
  }
  const listed = items.filter((item) => !/[:：]$/u.test(plain(item)));
  return listed.length > 0 ? listed : [lead];
}

function readSentences(line: string): readonly string[] {
  return plain(line)
    .split(/(?<=[.!?])\s+/)
    .flatMap((sentence) => {
      const rest = LABEL.exec(sentence)?.groups?.rest?.trim();
      if (rest !== undefined) return [rest];
      return TODO.test(sentence) || SAYS_LEFT.test(sentence) || STANDS_OPEN.test(sentence) ? [sentence] : [];
    });
}

/** Removes list marks, emphasis and emoji around the words. */
function plain(line: string): string {
  return line.trim().replace(MARKS, "").replaceAll("**", "").trim();
}
