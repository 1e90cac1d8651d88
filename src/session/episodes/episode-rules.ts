import { isAwaiting } from "../closing.ts";
import type { HappeningOf } from "../happening.ts";
import { isCorrection, opensAsCorrection } from "../track-words.ts";
import { type Episode, isInquiry, isOffer, reportsProblem } from "./episode-ending.ts";

const CARRIES_ON =
  /^(?:(?:please|ok(?:ay)?|and|so|now|then|great|cool|nice|perfect|good|thanks?|thank you|yes|yeah|yep|sure|alright|sounds good|looks good|also|i (?:think|guess|believe) (?:that )?(?:you|we) can|(?:you|we) (?:can|may|could|should)(?: now| just)?)[\s!.,]{1,9}){0,6}(?:y|yes|yep|yeah|ya|ok(?:ay)?|sure|go(?: ahead| for it)?(?! with\b(?! it| that| the (?:rest|next|plan)))|do (?:it|that|both|all|so|this)|continue|carry on|keep going|go on|resume|proceed|please(?=[\s!.,]*$)|please do|sounds good|looks? good|great|perfect|nice|cool|thanks?|thank you|lgtm|try (?:it )?again|retry|again|next|fix (?:it|both|all|them|that|this)|run (?:it|them|that)|ship (?:it|them)|merge(?: it)?|push(?: it)?|commit(?: it| this| that| and push)?|create (?:a |the )?pr|deploy(?: it)?(?! to\b)|(?:option )?[a-d1-9])\b.{0,60}$/i;
const PLEASANTRIES =
  /^(?:(?:please|ok(?:ay)?|and|so|now|then|great|cool|nice|perfect|good|thanks?|thank you|yes|yeah|yep|sure|alright|also)[\s!.,]{1,9}){1,6}/i;
const OWN_WORDS = 3;

/** Whether a prompt says only to go on: after "ok" or "thanks" there may be a task of its own. */
export function carriesOn(asked: string): boolean {
  const rest = asked.replace(PLEASANTRIES, "");
  return CARRIES_ON.test(asked) && (CARRIES_ON.test(rest) || rest.split(/\s+/).length < OWN_WORDS);
}

/** Steps that conclude the same work. */
const FINISHES =
  /^(?:(?:please|ok(?:ay)?|and|so|now|then|great|can you|could you|lets|let's)[\s,]{1,9}){0,6}(?:commit|push|merge|open (?:a |the )?(?:pr|pull)|create (?:a |the )?(?:pr|pull)|make (?:a |the )?pr|raise (?:a |the )?pr|ship|release|tag|(?:log|file|raise|open|create) an? (?:\w{1,20} )?(?:bug|issue|ticket|improvement))\b/i;
/** Words that mean nothing without what was said before. */
const POINTS_BACK =
  /\b(?:it|its|it['’]s|them|both|same|again|instead|still|above|(?:that|this)(?=\s*(?:[.?!,:;]|$|is\b|was\b|be\b|in\b|to\b|as\b|for\b|then\b|and\b|doesn|does\b|did|should|would|could|change|fix|branch|commit|pr\b)))\b|\b(?:based on|given|with) (?:that|this)\b|^(?:and|also|but|or|then|because|so)\b/i;
/** Questions about what was just mentioned. */
const ASKS_OF_THAT =
  /\b(?:that|those) (?:approach|branch|case|change|class|command|commit|config|error|field|file|function|issue|line|log|message|method|one|option|output|part|script|setting|test|value|way)(?:e?s)?\b/i;
/** Agreeing and then saying more is still an answer. */
const AGREES = /^(?:y(?:es|eah|ep|up)|sure|right|exactly|correct|agreed|(?:how|what) about (?:this|that))\b/i;
const INFORMS =
  /^(?:(?:ok(?:ay)?|oh|ah+|ahh ok|so|but|and|now),?\s+){0,3}(?:i(?:['’]ve| have| did| just| tried| got| get| mean| see| guess| dont| don['’]t)\b|we (?:did|have|made|are|were)|it(?:['’]?s| is| was| also| always| just| only| seems)\b|that(?:['’]?s| was| is)\b|there(?:['’]?s| is| are)\b|looks? like|seems? (?:like|to)|still\b|now (?:it|i|when)|same\b|ooh|uh oh|ah+\b|hm+\b|u+m\b)/i;
const DEMANDS =
  /\b(?:can|could|would|will) (?:you|we)\b|\bplease\b|\bi (?:want|need|would like)\b|\bi['’]d like\b|\blet['’]?s\b|\?\s*$/i;
/** A command of the host, or words that separate the new from the old. */
const STARTS_ANEW =
  /^(?:\/[\w:-]+|(?:ok(?:ay)?,? |so,? |now,? )?(?:unrelated|separately|new (?:task|topic|issue|question)|different (?:topic|question|task)|next (?:task|topic)|moving on|another (?:thing|issue|topic)|taking a step back|switching (?:topics?|gears)))\b/i;
/** A further problem, whatever happens to the first. */
const ADDS_PROBLEM = /^.{0,40}\b(?:another|other|different|separate|second) (?:issue|problem|bug|error)s?\b/i;
const SHORT_CHARACTERS = 120;
const ANSWER_CHARACTERS = 400;
const FEW_WORDS = 3;
/** Announced as a question of its own, whatever it refers to. */
const ANNOUNCED_QUESTION = /^(?:q|question)\s?:/i;
const DISMISSES = /\b(?:let['’]?s|we can|time to) move on\b/i;
/** Soon after an answer, this can only refer to the answer. */
const CLARIFIES =
  /^(?:(?:ok(?:ay)?|now|and|so|but|please|hm+)[\s,]{1,9}){0,3}(?:(?:can|could) y\w{0,2} (?:please )?)?(?:clarify|elaborate|explain)\b/i;
/** A question or an opinion, whereas an order begins something. */
const DISCUSSES =
  /\?(?:\s|$)|\bi(?:['’]m| am)? (?:think|would|guess|feel|prefer|believe|wonder(?:ing)?)\b|\b(?:maybe|perhaps|in that case|alternatively|good idea|makes sense)\b/i;
/** Reading an answer and typing a question takes longer, counted from the answer's beginning. */
const TYPED_MEANWHILE_MS = 20_000;
/** A prompt this soon after an answer may still be about it. */
const SOON_MS = 10 * 60_000;
/** Something that breaks after such a pause is unrelated. */
const PAUSE_MS = 60 * 60_000;
/** A reply this soon answers the question. */
const QUICK_MS = 3 * 60_000;
const QUESTION_CHARACTERS = 200;
const SEARCHED_CHARACTERS = 20_000;
/** From this share of shared words on, a prompt is about the same topic. */
const SAME_TOPIC = 0.4;
/** From this share or number of shared words on, it may be. */
const NEAR_TOPIC = 0.2;
const MANY_WORDS = 4;
const LAST_SENTENCE = /[^.?!\n]*[.?!]?[\s)*_"`]*$/;

export function isContinuation(last: Episode, { text, request, atMs }: HappeningOf<"asked">): boolean {
  const asked = text.trim().slice(0, SEARCHED_CHARACTERS).replace(/\s+/g, " ");
  const isUnanswered = request === last.askedRequest;
  // Several prompts before an answer are one request, unless the first was taken back.
  if (isUnanswered && !last.isInterrupted) return true;
  if (STARTS_ANEW.test(asked) || addsProblem(asked)) return false;
  // Said while the model works, or to correct its course.
  if (isAtWork(last) || (last.isInterrupted && !isUnanswered)) return true;
  if (DISMISSES.test(last.lastAsked)) return false;
  const pauseMs = atMs === undefined || last.spokenAtMs === undefined ? undefined : atMs - last.spokenAtMs;
  if (pauseMs !== undefined && pauseMs > PAUSE_MS && reportsProblem(asked) && !hasLooseEnds(last)) return false;
  const shared = shareTopic(asked, last);
  if (shared.part >= SAME_TOPIC || takesUpOffer(asked, last)) return true;
  const near = { shared, pauseMs: pauseMs ?? Number.POSITIVE_INFINITY };
  if (opensAsCorrection(asked) || (isCorrection(asked) && isAboutLast(asked, last, shared))) return true;
  return isAnswer(asked, last, near) || isReply(asked) || isTalk(asked, last, near);
}

/** Whether a prompt reports a further problem: it begins an episode, and the previous one keeps its status. */
export function addsProblem(asked: string): boolean {
  return ADDS_PROBLEM.test(asked);
}

interface Nearness {
  readonly pauseMs: number;
  readonly shared: SharedTopic;
}

interface SharedTopic {
  readonly words: number;
  readonly part: number;
}

/** The model has not finished, or its last words announce the next step; helpers it waits for do not count. */
function isAtWork({ status, closing, isInterrupted }: Episode): boolean {
  return (closing === "" && !isInterrupted) || (status === "active" && !isAwaiting(closing));
}

function hasLooseEnds({ changedRequest, committedRequest, status }: Episode): boolean {
  return changedRequest > committedRequest || status === "open";
}

/** Short, or about the same topic, or said while changes are uncommitted. */
function isAboutLast(asked: string, last: Episode, { part }: SharedTopic): boolean {
  if (asked.length <= SHORT_CHARACTERS) return true;
  return asked.length <= ANSWER_CHARACTERS && (part >= NEAR_TOPIC || hasLooseEnds(last));
}

/** The model asked, and this may answer: short, at once, or about the same topic. */
function isAnswer(asked: string, last: Episode, { pauseMs, shared }: Nearness): boolean {
  if (last.status !== "open" || last.isInterrupted || asked.length > ANSWER_CHARACTERS) return false;
  if (pauseMs <= QUICK_MS || shared.words >= 2) return true;
  return asked.length <= SHORT_CHARACTERS && !ANNOUNCED_QUESTION.test(asked);
}

/** The model ended with an offer, and this is about it. */
function takesUpOffer(asked: string, { closing }: Episode): boolean {
  const offer = closing.slice(closing.search(LAST_SENTENCE));
  return isOffer(offer) && asked.length <= ANSWER_CHARACTERS && countShared(topicWords(asked), topicWords(offer)) >= 2;
}

/** Words soon after words on the same topic, or a question typed before the answer was there. */
function isTalk(asked: string, last: Episode, { pauseMs }: Nearness): boolean {
  if (pauseMs <= TYPED_MEANWHILE_MS && asked.length <= QUESTION_CHARACTERS && isInquiry(asked)) return true;
  if (pauseMs <= SOON_MS && CLARIFIES.test(asked)) return true;
  if (pauseMs > SOON_MS || Math.max(last.changedRequest, last.committedRequest) > last.askedRequest) return false;
  if (!DISCUSSES.test(asked)) return false;
  const words = topicWords(asked);
  const shared = countShared(words, topicWords(`${last.lastAsked} ${last.closing}`));
  return shared >= MANY_WORDS || (shared > 0 && shared / words.size >= NEAR_TOPIC);
}

/** Whether a prompt needs what was said before to be understood or to ask for anything. */
function isReply(asked: string): boolean {
  if (ANNOUNCED_QUESTION.test(asked)) return false;
  const words = asked.slice(0, SHORT_CHARACTERS + 1).split(/\s+/).length;
  if (words <= FEW_WORDS || CARRIES_ON.test(asked) || FINISHES.test(asked) || AGREES.test(asked)) return true;
  const pointsBack = POINTS_BACK.test(asked) || (isInquiry(asked) && ASKS_OF_THAT.test(asked));
  if (asked.length <= SHORT_CHARACTERS && pointsBack) return true;
  return asked.length <= ANSWER_CHARACTERS && onlyInforms(asked);
}

export function onlyInforms(asked: string): boolean {
  return INFORMS.test(asked) && !DEMANDS.test(asked);
}

export function isSubstantial(asked: string): boolean {
  return asked.length > 15 && !carriesOn(asked) && !FINISHES.test(asked);
}

function shareTopic(asked: string, last: Episode): SharedTopic {
  const words = topicWords(asked);
  const known = topicWords([last.firstAsked, last.lastAsked, last.closing, ...last.files.slice(-20)].join(" "));
  const shared = countShared(words, known);
  return { words: shared, part: words.size < 2 ? 0 : shared / words.size };
}

function countShared(words: ReadonlySet<string>, known: ReadonlySet<string>): number {
  return [...words].filter((word) => known.has(word)).length;
}

const COMMON = new Set(
  "the and for with that this from have has are was were you your can could would should please what when where which how why does did not but all any into about just also now then them they there here make need want let lets use using some more like get one two".split(
    " ",
  ),
);

function topicWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [];
  return new Set(words.filter((word) => word.length > 2 && !COMMON.has(word)));
}
