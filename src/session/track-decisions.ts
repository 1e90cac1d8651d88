import { clipText } from "../core/clip-text.ts";
import { findSaidInRefusal, splitLoosely } from "../core/sentences.ts";
import { isChange } from "./action.ts";
import { findReason, hasSignal, isDecision, isOwnChoice, isRule } from "./decision-signals.ts";
import { isInquiry, reportsProblem } from "./episodes/episode-ending.ts";
import { type ApproachState, createApproachTracker } from "./failed-approaches.ts";
import type { HappeningOf, Tracker } from "./happening.ts";
import { findPaths, splitSentences } from "./sentences.ts";
import { opensAsCorrection } from "./track-words.ts";

export interface Decision {
  readonly text: string;
  /** What follows "because", "since", "so that"; empty if no reason was given. */
  readonly reason: string;
  readonly files: readonly string[];
  readonly request: number;
  /** The model in its text, or the person by an answer or by approving a plan. */
  readonly by: "model" | "person";
}

export interface DecisionState extends ApproachState {
  readonly decisions: readonly Decision[];
  /** The person's sentences that may be no more than a request: too often wrong to be shown as decisions. Absent in older states. */
  readonly perhaps?: readonly Decision[];
  /** When the person last spoke: they may object to decisions made since. */
  readonly askedRequest?: number;
}

const MAX_DECISIONS = 500;
const MAX_PER_TEXT = 6;
const MAX_TEXT_CHARACTERS = 300;
const MAX_FILES = 5;
/** A decision that names no file is about files changed within this many requests. */
const NEAR_REQUESTS = 1;
/** In a longer answer, bare rules and reports explain something. */
const PLAIN_SENTENCES = 2;
/** Lifts an earlier "not yet". */
const STARTS = /^(?:ok(?:ay)?,? |yes,? |please |now )*(?:go ahead|implement|proceed|start|do it)\b/i;
const TURNS_BACK = /^\W{0,4}(?:actually|wait|hmm+|on second thought|scratch that)\b/i;

export function createDecisionTracker(
  saved: DecisionState = { decisions: [], failedApproaches: [] },
): Tracker<DecisionState> {
  const guesses = new Set(saved.perhaps);
  let decisions = [...saved.decisions, ...guesses].sort((left, right) => left.request - right.request);
  const known = new Set(decisions.map((decision) => decision.text));
  const approaches = createApproachTracker(saved);
  let askedRequest = saved.askedRequest ?? 0;

  const decide = (text: string, request: number, by: Decision["by"], isGuess = false): void => {
    const kept = text.slice(0, MAX_TEXT_CHARACTERS);
    if (kept.trim() === "" || known.has(kept)) return;
    known.add(kept);
    const files = findPaths(kept).slice(0, MAX_FILES);
    const decision: Decision = { text: kept, reason: findReason(kept), files, request, by };
    decisions.push(decision);
    if (isGuess) guesses.add(decision);
    if (decisions.length > MAX_DECISIONS) for (const gone of decisions.splice(0, 1)) known.delete(gone.text);
  };

  /** If the same was asked again, the newer answer counts. */
  const answerQuestion = (answer: string, request: number): void => {
    const question = answer.slice(0, answer.indexOf(" → ") + 3);
    if (question.length > 3) decisions = decisions.filter(({ text }) => !text.startsWith(question));
    decide(answer, request, "person", FREE_ANSWER.test(answer));
  };

  /** A decision that names no file is about the ones changed right then. */
  const noteEdit = (path: string, request: number): void => {
    const near = decisions.findLastIndex((decision) => decision.request < request - NEAR_REQUESTS) + 1;
    decisions = decisions.map((decision, index) =>
      index < near || decision.by === "person" || decision.files.length > 0 ? decision : { ...decision, files: [path] },
    );
  };

  const followOutcome = ({ action, outcome, request }: HappeningOf<"outcome">): void => {
    // A plan returned with comments is not given up: the comments say what is wanted.
    if (action.kind === "proposePlan" && outcome.isRefused) {
      const said = findSaidInRefusal(outcome.text)?.replace(/\s+/g, " ") ?? "";
      if (said !== "") decide(`On the plan: ${said}`, request, "person", said.includes("?"));
    }
    if (outcome.isError || outcome.isRefused) return;
    if (action.kind === "ask") for (const answer of findAnswers(outcome.text)) answerQuestion(answer, request);
    if (action.kind === "proposePlan") {
      const lines = (action.plan || (outcome.text.split(APPROVED, 2)[1] ?? "")).split("\n");
      const title = (lines.find((line) => line.trim() !== "") ?? "").replace(/^#+\s*/, "");
      if (title !== "") decide(`Plan approved: ${title}`, request, "person");
    }
    const isNear = (decisions.at(-1)?.request ?? 0) >= request - NEAR_REQUESTS;
    if (isNear && isChange(action)) noteEdit(action.path, request);
  };

  const hearModel = (text: string, request: number): void => {
    if (TURNS_BACK.test(text)) withdraw(request - NEAR_REQUESTS - 1);
    if (!hasSignal(text)) return;
    const sentences = splitSentences(text);
    const isPlain = sentences.length <= PLAIN_SENTENCES && !/^\s{0,9}(?:[-*•#|]|\d{1,2}[.)])\s|\*\*/m.test(text);
    const isCertain = (sentence: string): boolean => isOwnChoice(sentence) || (isPlain && isRule(sentence));
    const found = sentences.filter((sentence) => isDecision(sentence) && isCertain(sentence));
    for (const sentence of found.slice(0, MAX_PER_TEXT)) decide(sentence, request, "model");
  };

  /** A decision that the person objects to is removed. */
  const hearPerson = ({ text, request, answers = "" }: HappeningOf<"asked">): void => {
    if (opensAsCorrection(text) || /\bwe (?:only|never|always)\b/i.test(text)) withdraw(askedRequest);
    if (STARTS.test(text)) decisions = decisions.filter((decision) => !/\byet\b/i.test(decision.text));
    askedRequest = request;
    for (const { text: choice, isGuess } of findChoices(text, answers)) decide(choice, request, "person", isGuess);
  };

  const withdraw = (since: number): void => {
    const stands = ({ by, request }: Decision): boolean => by === "person" || request <= since;
    for (const gone of decisions.filter((decision) => !stands(decision))) known.delete(gone.text);
    decisions = decisions.filter(stands);
  };

  return {
    follow(happening) {
      approaches.follow(happening);
      if (happening.kind === "outcome") followOutcome(happening);
      if (happening.kind === "asked") hearPerson(happening);
      if (happening.kind === "said") hearModel(happening.text, happening.request);
    },
    state: () => ({
      decisions: decisions.filter((decision) => !guesses.has(decision)),
      perhaps: decisions.filter((decision) => guesses.has(decision)),
      ...approaches.state(),
      askedRequest,
    }),
  };
}

/** Newer hosts keep the plan in a file, and repeat it when it is approved. */
const APPROVED = /^## Approved Plan.*:$/m;
/** Questions about how to go on, not about the work; a short answer to one is permission. */
const ASKS_LEAVE =
  /^(?:what (?:would you like|do you want) (?:to do|me to do)|would you like me to|do you want me to|shall i|should i|ready to|given .{0,60}should i|how would you like to proceed)/i;
const LEAVE_CHARACTERS = 60;
const ABOUT_TALK = /\b(?:areas?|topics?|questions?)\b.{0,40}\b(?:discuss|talk about|clarify)\b/i;
/** Doubt is not a decision. */
const UNDECIDED =
  /^(?:hm+|not sure|it depends|this (?:would )?depends?|i don['’]?t know|idk|maybe|from my understanding)/i;
/** Answers that only move the talk on or hand the decision back; a counter-question is not a decision either. */
const PASSES_ON =
  /^(?:next(?: area| question)?|done\b.*|continue|proceed|skip|you decide|no preference|other|yes|no)\.?$/i;
/** The same of hosts that answer in JSON. */
const ANSWERED_IN_JSON = /"(\w{1,80})":\s?\{"answers":\s?\["([^"]{1,600})"/g;
const ANSWERED = /"([^"]{1,600})"="([^"]{0,600})"/g;

/** An answer in the person's own words, longer than any label of an option or without the question: as often a remark as a choice. */
const FREE_ANSWER = /^User responded:| → .{81}/;

/** Questions asked of the person, each with its answer; the text itself if it has another form. */
function findAnswers(text: string): readonly string[] {
  const pairs = [...text.slice(0, 20_000).matchAll(ANSWERED)];
  if (pairs.length === 0) {
    const inJson = [...text.slice(0, 20_000).matchAll(ANSWERED_IN_JSON)];
    const named = inJson.map(([, id = "", answer = ""]) => `${id.replaceAll("_", " ")} → ${answer}`);
    return named.length > 0 ? named : [text.replace(/\s+/g, " ")];
  }
  return pairs.flatMap(([, question = "", answer = ""]) => {
    const room = Math.max(60, MAX_TEXT_CHARACTERS - answer.length - 4);
    const said = answer.trim();
    const isLeave = ABOUT_TALK.test(question) || (ASKS_LEAVE.test(question.trim()) && said.length <= LEAVE_CHARACTERS);
    return isLeave || PASSES_ON.test(said) || UNDECIDED.test(said) || said.endsWith("?")
      ? []
      : [`${clipText(question, room)} → ${answer}`];
  });
}

/** Longer prompts are plans and pastes, in which choices cannot be told from descriptions. */
const MAX_PROMPT = 1200;
const MAX_SENTENCE = 250;
/** Leaves room for the answer. */
const MAX_QUESTION = 200;
const MIN_WORDS = 4;
const FEW_WORDS = 3;
/** Says in so many words that it is decided. */
const DECLARES =
  /\b(?:i|we)(?:['’]?ve| have)? (?:(?:just|now|also|finally) )?(?:decided|chose|chosen|settled on|opted|agreed (?:on|to|that))\b|^(?:(?:the|my|our|final) )?decision(?: is)?\s?[:,—-]|\b(?:i['’]?m|we['’]?re|i am|we are|i['’]?ll|we['’]?ll|i will|we will) (?:going with|go with|keeping|dropping|staying (?:with|on)|stick(?:ing)? (?:with|to))\b|^(?:ok(?:ay)?,? |yes,? )?(?:agreed|deal|settled)\b\s?[,:;.—-]\s?\S/i;
/** A preference, or what holds from now on. */
const CHOOSES =
  /\b(?:(?<!\byou(?:['’]d| would)? )prefer\b|i['’]?d rather|(?:go|going) with (?!#?\w{1,2}\b)|stick (?:with|to)|better not to|as a general rule|from now on|should (?:just|only|not|never|always|live in)|must (?:not|never|always)|i want (?:both|all))\b|,? ever!{1,3}$/i;
/** Heard in what was no decision about one time in three, in all recordings: orders, remarks, pasted text. */
const LEANS = /\b(?:instead\b(?! of (?:just|having))|rather than|for now\b.{0,80}\bshould)\b/i;
/** The same of what is proposed to be done together. */
const TOGETHER =
  /\b(?:let['’]?s|we(?:['’]?ll| will| can| should)?) (?:not (?!know\b|see\b|sure\b|able\b)|keep (?!going|working|trying|on\b)|use|skip|drop|leave|stay (?:with|on)|avoid|switch to|postpone|defer|limit|(?:re)?name (?:it|them)|call (?:it|them)|rename later|support only|only support)\b|\bwe (?:won['’]?t|will not|do(?:n['’]?t| not) need|no longer (?:need|support|use))\s\S/i;
const OVER =
  /(?:^|[;:.] |, (?:and|but) )(?:(?:and|but|so|also|please|just|ok(?:ay)?|yes|no|then|actually|for \w+),?\s){0,3}(?:use|take|pick|choose|name|call|store|write|make|put|keep|base|build|target)\s[^;]{1,80}?(?:,? (?:and )?not (?!yet\b|sure\b|working\b)|,? no longer |,? without )\S/i;
/** Orders that rule something out or fix it for good, at the start of an order. A mere "do this" or "do not do this now" is a request. */
const RULES =
  /(?:^|[;:.] |, (?=(?:and|but|so|also|please|just|then|never|always)\b))(?:(?:and|but|so|also|please|just|ok(?:ay)?|yes|no|then|actually|remember(?: to)?),?\s){0,3}(?:(?:never|always)\s(?!mind\b|(?:the|a|in|on)\b)\S|(?:keep|leave)\s.{1,80}\b(?:as (?:it|they) (?:is|are)|as is|unchanged|alone|in place|untouched|separate|stable|optional|compatible|out of)\b|(?:skip|drop)\s.{1,60}\b(?:for now|entirely|altogether|completely|support)\b)/i;
/** Wondering, guessing, asking for a check and reporting decide nothing. */
const WONDERS =
  /\?|^could (?:we|you)\b|\bwhether\b|\bdo you think\b|\b(?:currently|at the moment|so far|already)\b|\b(?:does(?:n['’]?t)?|did(?:n['’]?t)?|should(?:n['’]?t)?|would(?:n['’]?t)?|is(?:n['’]?t)?) (?:that|this|it|we|i) (?:mean|be|not)\b|\bi suppose\b|^(?:please |also |and ){0,2}(?:confirm|verify|make sure|double.?check)\b|^(?:ok(?:ay)?,? )?i think (?:the|this|that|it)\b.*(?:n['’]t|\bnot)\b.*\b(?:that|which)\b|\b(?:not sure|i (?:don['’]?t|dont|do not|cant|can['’]?t) (?:see|know|understand|think|get|like)|(?:doesn['’]?t|does not|didn['’]?t|isn['’]?t) (?:work|show|seem)|might|maybe|perhaps|probably|wonder(?:ing)?|would it|it says|message says|looks like|seems)\b/i;
/** A description says what a thing does or how it looks; a choice says what it should do. */
const DESCRIBES = /^(?:this|that|it|these|those|there|here|the|your|an?)\b(?!.*\b(?:must|should|never|always|only)\b)/i;
/** Permission to do what was proposed, and words that announce a text below. */
const HANDS_OVER = /^(?:(?:ok(?:ay)?|yes|sure|great|good)[,.!]?\s)?go (?:ahead|with)\b|:$/i;
const OFFERS_CHOICE =
  /\b(?:which|or|prefer|option|what (?:types?|kind|should))\b|\((?:[-•]\s?)?\(?(?:option )?[a-d\d][.):]/i;
/** Asks for a fact that only the person knows, so the answer is not a choice. */
const ASKS_FACT = /^\W{0,4}(?:(?:could|can) you (?:provide|share|tell|confirm|paste)|reply with a number to view)\b/i;
const NAMES_OPTION = /^(?:option |number |#)?(?:[a-d]|\d)(?:[\s.,)!]|$)/i;
/** Permission to go on decides nothing about the work. */
const LEAVE =
  /^(?:y|yes|yep|yeah|ya|no|nope|ok(?:ay)?|sure|go(?: ahead)?|do (?:it|that|both|all)|continue|proceed|resume|please|thanks?|done|next|swapped|verify|retry|try again|sounds good|looks? good|that['’]?s (?:correct|right|fine|good)|correct|right|implement|lgtm|commit|push|ship it)\b/i;

/** What a prompt decides, in the person's words: the offered option it takes, and sentences that choose or rule out. */
function findChoices(text: string, answers: string) {
  if (text.length > MAX_PROMPT) return [];
  if (picksOption(text.trim(), answers))
    return [{ text: `${clipText(answers, MAX_QUESTION)} → ${text.trim()}`, isGuess: false }];
  return splitLoosely(text).flatMap(readChoice);
}

function picksOption(reply: string, question: string): boolean {
  if (question === "" || !OFFERS_CHOICE.test(question) || ASKS_FACT.test(question)) return false;
  if (/\?|^\//.test(reply) || reportsProblem(reply)) return false;
  if (NAMES_OPTION.test(reply)) return reply.length <= MAX_SENTENCE;
  return reply.split(/\s+/).length <= FEW_WORDS && !LEAVE.test(reply) && !isInquiry(reply);
}

function readChoice(sentence: string) {
  const words = sentence.split(/\s+/).length;
  if (words < MIN_WORDS || sentence.length > MAX_SENTENCE || sentence.startsWith("/")) return [];
  if (WONDERS.test(sentence) || HANDS_OVER.test(sentence.trim())) return [];
  if (DECLARES.test(sentence)) return [{ text: sentence, isGuess: false }];
  if (DESCRIBES.test(sentence) || isInquiry(sentence) || reportsProblem(sentence)) return [];
  const isGuess = ![CHOOSES, OVER, RULES].some((sign) => sign.test(sentence));
  return isGuess && !LEANS.test(sentence) && !TOGETHER.test(sentence) ? [] : [{ text: sentence, isGuess }];
}
