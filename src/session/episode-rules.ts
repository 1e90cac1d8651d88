import type { WorkStatus } from "./action.ts";
import type { Episode } from "./track-episodes.ts";
import { isCorrection } from "./track-words.ts";

/** Requests that carry on with what is being done rather than begin something. */
const CARRIES_ON =
  /^(?:(?:please|ok(?:ay)?|and|so|now|then|great|cool|nice|perfect|good|thanks?|thank you|yes|yeah|yep|sure|alright|sounds good|looks good|also)[\s!.,]{1,9}){0,6}(?:y|yes|yep|yeah|ya|ok(?:ay)?|sure|go(?: ahead| for it)?|do (?:it|that|both|all|so|this)|continue|carry on|keep going|proceed|please|please do|sounds good|looks? good|great|perfect|nice|cool|thanks?|thank you|lgtm|try (?:it )?again|retry|again|next|fix (?:it|both|all|them|that|this)|run (?:it|them|that)|ship (?:it|them)|merge(?: it)?|push(?: it)?|commit(?: it| this| that| and push)?|create (?:a |the )?pr|deploy(?: it)?|(?:option )?[a-d1-9])\b.{0,60}$/i;
/** What comes after the work: the same work's end, not another piece. */
const FINISHES =
  /^(?:(?:please|ok(?:ay)?|and|so|now|then|great|can you|could you|lets|let's)[\s,]{1,9}){0,6}(?:commit|push|merge|open (?:a |the )?(?:pr|pull)|create (?:a |the )?(?:pr|pull)|make (?:a |the )?pr|raise (?:a |the )?pr|ship|release|tag)\b/i;
/** Words that mean nothing without what was said before. */
const POINTS_BACK =
  /\b(?:it|its|it['’]s|them|both|same|again|instead|still|above|(?:that|this)(?=\s*(?:[.?!,:;]|$|is\b|was\b|be\b|in\b|to\b|as\b|for\b|then\b|doesn|does\b|did|should|would|could|change|fix|branch|commit|pr\b)))\b|^(?:and|also|but|or|then|because|so)\b/i;
/** Agreeing and then saying more is still an answer. */
const AGREES = /^(?:y(?:es|eah|ep|up)|sure|right|exactly|correct|agreed)\b/i;
/** What the person reports of the work under way, without asking for anything. */
const INFORMS =
  /^(?:(?:ok(?:ay)?|oh|ah+|ahh ok|so|but|and|now),?\s+){0,3}(?:i(?:['’]ve| have| did| just| tried| got| get| mean| see| guess| dont| don['’]t)\b|we (?:did|have|made|are|were)|it(?:['’]?s| is| was)\b|that(?:['’]?s| was| is)\b|there(?:['’]?s| is| are)\b|looks? like|seems? (?:like|to)|still\b|now (?:it|i|when)|same\b|ooh|uh oh|ah+\b|hm+\b|u+m\b)/i;
const REQUESTS =
  /\b(?:can|could|would|will) (?:you|we)\b|\bplease\b|\bi (?:want|need|would like)\b|\bi['’]d like\b|\blet['’]?s\b|\?\s*$/i;
/** A command of the host, or words that part what comes from what was. */
const STARTS_ANEW =
  /^(?:\/[\w:-]+|(?:ok(?:ay)?,? |so,? |now,? )?(?:unrelated|separately|new (?:task|topic|issue|question)|different (?:topic|question|task)|next (?:task|topic)|moving on|another (?:thing|issue|topic)|taking a step back|switching (?:topics?|gears)))\b/i;
const SHORT_CHARACTERS = 120;
const ANSWER_CHARACTERS = 400;
const FEW_WORDS = 3;
/** From this share of its words on, a request speaks of what was just spoken of. */
const SAME_TOPIC = 0.4;

/** Whether a prompt goes on with the stretch of work before it. */
export function isContinuation(last: Episode, text: string, turn: number): boolean {
  const asked = text.trim();
  const isUnanswered = turn === last.askedTurn;
  // Several prompts before an answer make one request, unless the first was taken back.
  if (isUnanswered && !last.isInterrupted) return true;
  if (STARTS_ANEW.test(asked)) return false;
  // Said while the model works, or to bring it back on course.
  if (last.status === "active" || isCorrection(asked) || (last.isInterrupted && !isUnanswered)) return true;
  if (last.status === "open" && !last.isInterrupted && asked.length <= ANSWER_CHARACTERS) return true;
  return isReply(asked) || shareTopic(asked, last) >= SAME_TOPIC;
}

/** Whether a prompt cannot be understood, or asks for nothing, without what was said before. */
function isReply(asked: string): boolean {
  const words = asked.slice(0, SHORT_CHARACTERS + 1).split(/\s+/).length;
  if (words <= FEW_WORDS || CARRIES_ON.test(asked) || FINISHES.test(asked) || AGREES.test(asked)) return true;
  if (asked.length <= SHORT_CHARACTERS && POINTS_BACK.test(asked)) return true;
  return asked.length <= ANSWER_CHARACTERS && INFORMS.test(asked) && !REQUESTS.test(asked);
}

/** Whether a prompt asks for something that can be understood by itself. */
export function isSubstantial(asked: string): boolean {
  return asked.length > 15 && !CARRIES_ON.test(asked) && !FINISHES.test(asked);
}

function shareTopic(asked: string, last: Episode): number {
  const words = topicWords(asked);
  if (words.size < 2) return 0;
  const known = topicWords([last.request, last.lastAsked, last.closing, ...last.files.slice(-20)].join(" "));
  return [...words].filter((word) => known.has(word)).length / words.size;
}

const COMMON = new Set(
  "the and for with that this from have has are was were you your can could would should please what when where which how why does did not but all any into about just also now then them they there here make need want let lets use using some more like get one two".split(
    " ",
  ),
);

function topicWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)));
}

/** Questions about what to do next, whatever was asked for. */
const MOVES_ON =
  /\b(?:anything else|what(?:['’]s| is) next|what (?:would|should|do) (?:you|we)|(?:move|moving) on|something else|next (?:steps?|up)\b.{0,40}\?|how does (?:that|this) (?:look|sound))/i;
/** Offers to do something more, or the thing itself. */
const OFFERS =
  /\b(?:want me to|want (?:to|both)|would you like|shall i|should i|do you want|like me to|let me know|ready (?:to|for|when)|happy to|go ahead)\b/i;
const ASKS =
  /\b(?:which (?:one|option|approach|of)|please (?:provide|confirm|share|tell|choose|paste|clarify|specify|let me know (?:which|how|what))|can you (?:confirm|share|tell|provide|paste|clarify)|could you (?:confirm|share|tell|provide|paste|clarify)|let me know (?:which|how you|what you|once|when)|waiting for your|i need (?:you to|your)|once you(?:'ve| have)? (?:run|done|pick|decide|confirm))\b/i;
/** Announcements of what comes next: the record ends before it came. */
const ANNOUNCES =
  /^(?:now |next,? |first,? |ok(?:ay)?,? |good[,.]? |great[,.]? ){0,4}(?:let me|i'll|i will|i'm going to|let's)\b.{0,200}[:.…]?$/i;
const INQUIRES =
  /\?\s*$|^(?:(?:please|ok|can you|could you|hey|so|q:|question:?)[\s,]{1,9}){0,6}(?:how|what|why|is|are|does|do|did|where|which|who|when|will|would|should|explain|investigate|analy[sz]e|review|look|check|find|tell|show|describe|compare|research|read)\b/i;
/** A problem that was reported is not over because more is offered; it is when the model says so. */
const REPORTS_PROBLEM =
  /\b(?:not working|does(?:n['’]?t| not) work|fail(?:s|ed|ing)?|errors?|broken|crash(?:es|ed)?|can['’]?t|cannot)\b/i;
const CLAIMS_FIX = /\b(?:fixed|resolved|solved|works?|working|restored|pass(?:es|ed|ing)?|green|clean)\b/i;
const TAIL_CHARACTERS = 400;
const SEARCHED_CHARACTERS = 4000;

/** How a stretch stands when the model has spoken and nothing follows. */
export function decideEnding(last: Episode, closing: string): WorkStatus {
  if (closing.length <= TAIL_CHARACTERS && !closing.includes("\n") && ANNOUNCES.test(closing)) return "active";
  const tail = closing.slice(-TAIL_CHARACTERS);
  const isAnswered = INQUIRES.test(last.lastAsked) || last.changedTurn >= last.askedTurn + 1;
  const isUnsolved = REPORTS_PROBLEM.test(last.lastAsked) && !CLAIMS_FIX.test(closing.slice(0, SEARCHED_CHARACTERS));
  const isQuestion = /\?[\s)*_"`]*$/.test(tail);
  if (isQuestion) return MOVES_ON.test(tail) || (isAnswered && !isUnsolved && OFFERS.test(tail)) ? "done" : "open";
  return ASKS.test(tail) && !isAnswered ? "open" : "done";
}
