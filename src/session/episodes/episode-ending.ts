import type { WorkStatus } from "../action.ts";
import { type ClosingFacts, isAwaiting, readClosing } from "../closing.ts";

/** A segment of work on one thing the person asked for; used where no task list is kept. */
export interface Episode {
  readonly id: string;
  /** The request that began it, word for word but cut. */
  readonly firstAsked: string;
  readonly status: WorkStatus;
  /** The call or request that proves the status. */
  readonly evidence: string;
  readonly startRequest: number;
  readonly endRequest: number;
  readonly files: readonly string[];
  readonly commits: readonly string[];
  readonly followUps: number;
  /** The end of the model's last answer. */
  readonly closing: string;
  /** When the person last spoke within it, and what they said, cut. */
  readonly askedRequest: number;
  readonly lastAsked: string;
  /** When a file was last changed, and when changes were last committed; 0 for never. */
  readonly changedRequest: number;
  readonly committedRequest: number;
  readonly isInterrupted: boolean;
  /** When the model last began to answer; `undefined` if the host does not say. */
  readonly spokenAtMs: number | undefined;
  /** The person reported something broken, and no answer since has settled it. */
  readonly hasTrouble: boolean;
  /** The person wants something delivered in the end, and no call has done so yet. */
  readonly hasGoal: boolean;
  readonly hasFailingTest: boolean;
}

/** Questions about what to do next, whatever was asked for. */
const MOVES_ON =
  /\b(?:anything else|what(?:['’]s| is) next|what (?:would|should|do) (?:you|we)|(?:move|moving) on|something else|next (?:steps?|up)\b.{0,40}\?|how does (?:that|this) (?:look|sound))/i;
const OFFERS =
  /\b(?:want me to|want (?:to|both)|would you like|shall i|should i|do you want|like me to|let me know|ready (?:to|for|when)|happy to|go ahead)\b/i;
const ASKS =
  /\b(?:which (?:one|option|approach|of)|please (?:provide|confirm|share|tell|choose|paste|clarify|specify|let me know (?:which|how|what))|can you (?:confirm|share|tell|provide|paste|clarify)|could you (?:confirm|share|tell|provide|paste|clarify)|let me know (?:which|how you|what you|once|when)|(?:say|tell me) (?:which|what|whether)|waiting for your|i need (?:you to|your)|once you(?:'ve| have)? (?:run|done|pick|decide|confirm))\b/i;
const INQUIRES =
  /\?\s*$|^(?:(?:please|ok|can you|could you|hey|so|q:|question:?)[\s,]{1,9}){0,6}(?:how|what|why|is|are|does|do(?! not\b| it\b| that\b| this\b)|did|where|which|who|when|will|would|should|explain|investigate|analy[sz]e|review|look|check|find|tell|show|describe|compare|research|read)\b/i;
const REPORTS_PROBLEM =
  /\b(?:not working|does(?:n['’]?t| not) work|fail(?:s|ed|ing)?|broken|crash(?:es|ed|ing)?|can['’]?t (?!we\b|you\b|i\b)|cannot|(?:get|gets|getting|got|see|seeing|hit|hitting|throws?|throwing|an?) .{0,40}\berrors?|still (?:see|seeing|get|getting|not|happen\w{0,3})|i (?:don['’]?t|do not|can['’]?t) see|nothing happens|happen(?:s|ed|ing) again)\b/i;
const CLAIMS_FIX = /\b(?:fixed|resolved|solved|works?|working|restored|pass(?:es|ed|ing)?|green|clean)\b/i;
/** The next step is to find out, so nothing is fixed yet. */
const DIAGNOSES =
  /\b(?:(?:show|tell) us\b|see (?:the (?:actual|real|exact|full)|what|why|which|where)\b|narrow (?:it |this )?down|find out (?:what|why|where)|pinpoint|surfaces? the|next time it happens|(?:paste|share) (?:me )?(?:the|what|your) |send me )/i;
/** Something others shall get in the end, beyond the current step. */
const STATES_GOAL =
  /\b(?:want|need|needs|have|like|going|trying|plan(?:ning)?|ready|time|about) (?:to|for)\b.{0,40}\b(?:release|publish|deploy(?:ment)?|ship|launch|go(?:ing)? live|roll ?out)\b/i;
const DELIVERS =
  /\b(?:(?:gh|glab) release create|(?:gh|glab) (?:pr|mr) merge|publish|deploy|twine upload|docker push|git push\b.{0,80}(?:--tags|\bv\d)|git tag (?:-\w |--\w{1,12} ){0,3}v?\d)/i;
const CLAIMS_DELIVERY = /\b(?:released|published|deployed|shipped|launched|rolled out|(?:is|are|went|now) live)\b/i;
/** The goal is named as still to come. */
const LIES_AHEAD =
  /\b(?:to (?:proceed|continue|go ahead|finish|complete|do)|then|before|after that|ready (?:to|for)|next(?: steps?)?|when you)\b.{0,60}\b(?:releas|publish|deploy|ship|launch|live|roll ?out)/i;
/** A numbered step of the plan is named as the next. */
const NAMES_NEXT_STEP =
  /\b(?:phase|step|task|part|milestone|stage) \d[\d.]*\W{1,5}(?:is |comes |are )?(?:next|remains?|left|to go|pending|not started)\b|\b(?:next(?: up)?|remaining|still to do)\b(?: is|:| —| -)? {1,3}\W{0,3}(?:phase|step|task|part|milestone|stage)s? \d/i;
/** Failures that existed before or do not matter. */
const EXCUSES =
  /\b(?:pre-?existing|unrelated|expected|known|flak[ey]y?|already (?:fail|broken)|not (?:caused|related))\b/i;
const GIVES_UP =
  /\b(?:i['’]?m blocked|blocked (?:by|on|until)|i (?:can['’]?t|cannot|couldn['’]?t|could not) (?:do|run|access|reach|complete|proceed|continue|finish|connect|log ?in|install|push)|i(?: was|['’]m| am) (?:unable|not able) to)\b/i;
export const MAX_CLOSING_CHARACTERS = 300;
const TAIL_CHARACTERS = 400;
const SEARCHED_CHARACTERS = 4000;

/** Whether the person asks for information rather than work. */
export function isInquiry(asked: string): boolean {
  return INQUIRES.test(asked);
}

export function movesOn(question: string): boolean {
  return MOVES_ON.test(question);
}

export function isOffer(said: string): boolean {
  return OFFERS.test(said);
}

export function reportsProblem(asked: string): boolean {
  return REPORTS_PROBLEM.test(asked.slice(0, SEARCHED_CHARACTERS));
}

/** Whether the person names a delivery that the prompt is for. */
export function statesGoal(asked: string): boolean {
  return STATES_GOAL.test(asked.slice(0, SEARCHED_CHARACTERS));
}

/** Whether a command delivers the result. */
export function isDelivery(command: string): boolean {
  return DELIVERS.test(command.slice(0, SEARCHED_CHARACTERS));
}

/** The status of an episode when the model has spoken and nothing follows. Listing finished work as open is worse than missing an end. */
export function decideEnding(last: Episode, closing: string, facts: ClosingFacts = {}): WorkStatus {
  if (readClosing(closing, facts).kind === "announces") return "active";
  const tail = closing.slice(-TAIL_CHARACTERS);
  const isQuestion = /\?[\s)*_"`]*$/.test(tail);
  if (!isQuestion && isAwaiting(closing)) return "active";
  const said = closing.slice(0, SEARCHED_CHARACTERS);
  const isAsking = isInquiry(last.lastAsked);
  const isAnswered = isAsking || last.changedRequest > last.askedRequest;
  const isUnsolved = last.hasTrouble && !CLAIMS_FIX.test(said);
  if (last.hasGoal && !CLAIMS_DELIVERY.test(said) && LIES_AHEAD.test(tail)) return "open";
  if (isQuestion) return MOVES_ON.test(tail) || (isAnswered && !isUnsolved && OFFERS.test(tail)) ? "done" : "open";
  if (isUnsolved && !isAsking && (OFFERS.test(tail) || DIAGNOSES.test(said))) return "open";
  if (NAMES_NEXT_STEP.test(tail)) return "open";
  if (last.hasFailingTest && !isAsking && !CLAIMS_FIX.test(said) && !EXCUSES.test(said)) return "open";
  return !isAnswered && (ASKS.test(tail) || GIVES_UP.test(tail)) ? "open" : "done";
}
