import { splitSentences } from "./sentences.ts";

/** How a text of the model ends: with what it does next, with a question, with waiting for something, or with its last word. */
export interface Closing {
  readonly kind: "announces" | "asks" | "awaits" | "ends";
  /** The sentences that say so, word for word; the last one otherwise. */
  readonly words: string;
}

/** An intention at the beginning of its sentence. */
const INTENDS =
  /^\W{0,4}(?:(?:now|next|then|first|good|great|perfect|ok(?:ay)?|alright|right|excellent|absolutely|so|also|finally|but|wait)[,.!:—-]{0,2}\s{1,3}){0,3}(?:let me|let['’]s|I(?:['’]ll| will|['’]m going to| am going to| need to| also need to| now need to| should)|we need to|time to|now\s(?!that|it|the|this|there|we have|you|all|both|everything)[a-z]{2,}(?:ing\b|\b))\s\S/i;
/** Words to the person, and what nobody sets about before the person has spoken. */
const SPEAKS_TO_PERSON =
  /\?\s*$|\b(?:let me know|let me explain|let me summari[sz]e|I['’]ll (?:wait|be|stop|leave|need)|I need (?:you|your)|need to (?:know|decide|ask)|let me (?:ask|know|answer)|(?:once|when|if|after|unless|until|as soon as) (?:you|that|it|they|the)\b)/i;
/** Asking without a question mark. */
const ASKS =
  /\b(?:let me know (?:if|which|how|what|when|once|whether)|(?:please )?(?:choose|pick|confirm|tell me|say) (?:which|what|whether|if|one)|which (?:one|option|approach) (?:do|would|should)|your call|up to you|waiting for your|ready (?:to|for|when)\b.{0,60}\byou)/i;
/** What was started and will be gone on with by itself: a helper, a build, a review that somebody else runs. */
const AWAITS =
  /\bi(?:['’]ll| will) (?:\w{1,12} ){0,2}(?:report|verify|check|review|continue|resume|follow up|come back|summari[sz]e|let you know|update you|pick up)\b.{0,80}\b(?:when|once|after|as soon as) (?:it|they|that|the \w{1,20}|all \w{1,20}|both)\b.{0,40}\b(?:is|are|has|have|comes?|finish(?:es)?|completes?|reports?|lands?|returns?|done|back)\b|\bwaiting (?:for|on) (?:the |its |their |all )?(?:\w{1,20} ){0,2}(?:agents?|subagents?|builds?|runs?|jobs?|checks?|results?|reviewers?|finders?)\b/i;
/** Behind a question there may still be a remark, or the options to choose from. */
const REMARKS = 3;
const OPTION = /^\s{0,9}(?:[-*•]|\(?[a-d\d][.)]|\*\*(?:option )?[a-d\d])/i;
const MAX_WORDS = 300;
const AWAITED_CHARACTERS = 300;
/** So much of a text is looked at for how it ends. */
const CLOSING_CHARACTERS = 1500;

export interface Told {
  /** Whether the model had finished with the text, where the host tells. */
  readonly isTurnEnd?: boolean | undefined;
}

export function readClosing(text: string, { isTurnEnd }: Told = {}): Closing {
  const tail = text.trimEnd().slice(-CLOSING_CHARACTERS);
  const sentences = splitSentences(tail);
  const last = sentences.at(-1) ?? "";
  if (isTurnEnd === false || (isTurnEnd === undefined && isAnnouncing(tail, last)))
    return { kind: "announces", words: joinLast(sentences) };
  const question = findQuestion(tail, sentences);
  if (question !== "") return { kind: "asks", words: question };
  if (isAwaiting(tail)) return { kind: "awaits", words: sentences.findLast((words) => AWAITS.test(words)) ?? last };
  const asking = sentences.slice(-REMARKS).findLast((words) => ASKS.test(words));
  return asking === undefined ? { kind: "ends", words: last } : { kind: "asks", words: asking };
}

/** A colon leads over to the call that follows it. */
function isAnnouncing(tail: string, last: string): boolean {
  return /[\w`)*]:[*_]{0,2}$/.test(tail) || (INTENDS.test(last) && !SPEAKS_TO_PERSON.test(last));
}

/** With the sentence before it, which says what it is about, as far as both fit. */
function joinLast(sentences: readonly string[]): string {
  const two = sentences.slice(-2).join(" ");
  return two.length <= MAX_WORDS ? two : (sentences.at(-1) ?? "");
}

/** The last question that only a remark or a list of options follows. */
function findQuestion(tail: string, sentences: readonly string[]): string {
  const at = sentences.findLastIndex((sentence) => /\?[\s)*_"`]{0,4}$/.test(sentence));
  if (at < 0) return "";
  const words = sentences[at] ?? "";
  const rest = tail.slice(tail.lastIndexOf(words) + words.length);
  const [sameLine = "", ...lines] = rest.split("\n").filter((line, index) => index === 0 || line.trim() !== "");
  const isFollowedByOptions = sameLine.trim() === "" && lines.length > 0 && lines.every((line) => OPTION.test(line));
  return sentences.length - 1 - at < REMARKS || isFollowedByOptions ? words : "";
}

/** Whether the model waits for something it started. */
export function isAwaiting(text: string): boolean {
  return AWAITS.test(text.slice(-AWAITED_CHARACTERS));
}
