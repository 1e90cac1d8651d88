import { clipText } from "../core/clip-text.ts";
import { isInquiry, reportsProblem } from "./episode-ending.ts";
import { splitLoosely } from "./sentences.ts";

/** Longer prompts are plans and pastes: what is chosen in them is not told from what is described. */
const MAX_PROMPT = 1200;
const MAX_SENTENCE = 250;
/** Leaves room for the answer. */
const MAX_QUESTION = 200;
const MIN_WORDS = 4;
const FEW_WORDS = 3;
/** One way and not another, a rule, or a preference. */
const CHOOSES =
  /\b(?:instead\b(?! of (?:just|having))|rather than|prefer\b|i['’]?d rather|(?:go|going) with (?!#?\w{1,2}\b)|stick (?:with|to)|better not to|no need (?:to|for)|as a general rule|from now on|only want|should (?:just|only|not|never|always|live in)|must (?:not|never|always)|for now\b.{0,80}\bshould|thinking of the|i want (?:both|all))\b|,? ever!{1,3}$/i;
/** Orders that rule something out or fix it, where an order begins. */
const RULES =
  /(?:^|[,;:.] )(?:(?:and|but|so|also|please|just|ok(?:ay)?|yes|no|then|actually|remember(?: to)?),?\s){0,3}(?:never|always|do not|don['’]?t|only|keep|leave|skip|drop)\s(?!forget\b|worry\b|you\b|it\b|that\b|this\b|see\b|know\b|think\b|have\b|get\b|understand\b)\S/i;
/** Wondering, guessing and telling what was seen decide nothing. */
const WONDERS =
  /\?|\b(?:not sure|i (?:don['’]?t|dont|do not|cant|can['’]?t) (?:see|know|understand|think|get|like)|(?:doesn['’]?t|does not|didn['’]?t|isn['’]?t) (?:work|show|seem)|might|maybe|perhaps|probably|wonder(?:ing)?|would it|it says|message says|looks like|seems)\b/i;
/** What a thing does or how it looks is told of it; a choice of it says what it should do. */
const DESCRIBES = /^(?:this|that|it|these|those|there|here|the|your|an?)\b(?!.*\b(?:must|should|never|always|only)\b)/i;
/** Leave to do what was proposed, and what announces a text below it. */
const HANDS_OVER = /^(?:(?:ok(?:ay)?|yes|sure|great|good)[,.!]?\s)?go (?:ahead|with)\b|:$/i;
/** A question that puts ways side by side. */
const OFFERS_CHOICE =
  /\b(?:which|or|prefer|option|what (?:types?|kind|should))\b|\((?:[-•]\s?)?\(?(?:option )?[a-d\d][.):]/i;
/** What only the person knows is told, not chosen. */
const ASKS_FACT = /^\W{0,4}(?:could|can) you (?:provide|share|tell|confirm|paste)\b/i;
const NAMES_OPTION = /^(?:option |number |#)?(?:[a-d]|\d)(?:[\s.,)!]|$)/i;
/** Leave to go on decides nothing about the work. */
const LEAVE =
  /^(?:y|yes|yep|yeah|ya|no|nope|ok(?:ay)?|sure|go(?: ahead)?|do (?:it|that|both|all)|continue|proceed|resume|please|thanks?|done|next|swapped|verify|retry|try again|sounds good|looks? good|that['’]?s (?:correct|right|fine|good)|correct|right|implement|lgtm|commit|push|ship it)\b/i;

/** What a prompt decides, in the person's words: the option that it takes of those offered, and sentences that choose or rule out. */
export function findChoices(text: string, answers: string): readonly string[] {
  if (text.length > MAX_PROMPT) return [];
  const picked = picksOption(text.trim(), answers) ? [`${clipText(answers, MAX_QUESTION)} → ${text.trim()}`] : [];
  return [...picked, ...splitLoosely(text).filter((sentence) => picked.length === 0 && isChoice(sentence))];
}

function picksOption(reply: string, question: string): boolean {
  if (question === "" || !OFFERS_CHOICE.test(question) || ASKS_FACT.test(question)) return false;
  if (/\?/.test(reply) || reportsProblem(reply)) return false;
  if (NAMES_OPTION.test(reply)) return reply.length <= MAX_SENTENCE;
  return reply.split(/\s+/).length <= FEW_WORDS && !LEAVE.test(reply) && !isInquiry(reply);
}

function isChoice(sentence: string): boolean {
  const words = sentence.split(/\s+/).length;
  if (words < MIN_WORDS || sentence.length > MAX_SENTENCE || sentence.startsWith("/")) return false;
  if (DESCRIBES.test(sentence) || HANDS_OVER.test(sentence.trim())) return false;
  if (WONDERS.test(sentence) || isInquiry(sentence) || reportsProblem(sentence)) return false;
  return CHOOSES.test(sentence) || RULES.test(sentence);
}
