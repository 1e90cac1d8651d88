import { findSaidInRefusal, splitLoosely } from "../core/sentences.ts";
import { findRuleSentences, isProse, isStandingRule } from "../core/standing-rules.ts";
import type { Happening, Tracker } from "./happening.ts";

export interface UserWords {
  readonly text: string;
  readonly request: number;
  readonly atMs: number | undefined;
  /** Its sentences that bind later work, word for word. */
  readonly constraints: readonly string[];
  /** Those that hold for all later work, and permissions that lift one; absent in states saved before they were kept. */
  readonly rules?: readonly string[] | undefined;
  readonly isCorrection: boolean;
  readonly urgency: readonly string[];
  /** Sentences that show impatience, word for word. */
  readonly frustrations: readonly string[];
  /** The model's question that they reply to; absent if it asked nothing. */
  readonly answers?: string | undefined;
}

const MAX_WORDS = 2000;
/** Longer prompts are pastes: both ends are kept, where people say what they want. */
const MAX_TEXT_CHARACTERS = 16_000;
const MAX_SENTENCES = 30;
const MAX_SENTENCE_CHARACTERS = 1000;

/** Wide on purpose: missing a constraint costs more than carrying a sentence for nothing. */
const CONSTRAINT =
  /\b(?:do(?:es)? not|don['’]?t|doesn['’]?t|never|must(?:n['’]?t)?|always|only|just|make sure|ensure|without|should(?:n['’]?t)?|avoid|keep|no need|not allowed|ha(?:s|ve) to|instead|prefer(?:red|ably)?|required?|leave|stick (?:to|with)|rather than|unless|until|before (?:you|we|committing|merging)|after (?:you|that|each)|I['’]?d (?:\w{1,12} )?(?:like|love|rather|prefer|expect|want|need)|(?:I|we) would (?:like|expect|prefer|want)|(?:I|we) (?:want|need|expect)|needs? to|let['’]?s|remember|be (?:sure|careful)|at (?:least|most)|no (?:more|longer)|not (?:a|the|in|to|be|use)|exactly|limit|maximum|minimum|allowed|ignore|exclude|except|assume|us(?:e|ing)|in favou?r|explicit(?:ly)?|if (?:not|after|you|we|it|there|any|all|so)|stop|can['’]?t|cannot|won['’]?t|better (?:not|to)|important|ever|backwards? compatible|(?:when|once|if) .{1,40}\b(?:pass(?:es)?|green|done|approved|finished))\b/i;
/** Questions are not constraints, however worded; a demand in the form of one may be. */
const QUESTION =
  /^(?:(?:and|but|so|ok|okay|hm+|oh|learning q:),? )?(?:how|what|why|is|are|was|were|does|do (?:we|i|you|they)|did|which|where|who|when|shouldn['’]?t|isn['’]?t|i (?:don['’]?t|dont) (?:see|know|understand))\b.*\?\s*$/i;
/** Looks for something together, wonders, or says how things are. */
const LOOKS =
  /^(?:(?:and|but|so|ok(?:ay)?|now|then|well|yes|no),? ){0,2}(?:let['’]?s (?:look|see|try|talk|check|start|begin|debug|find|discuss|think|wait and see)\b|let me know\b|maybe\b|perhaps\b|i (?:wonder|don['’]?t know|can['’]?t|cannot|could ?n['’]?t)\b|i(?:['’]?m| am) not sure\b|not sure\b|no (?:hurry|rush|idea)\b|keep going\b|(?:it|the \w{1,20}|this|that) (?:always|never) \w{1,20}s\b)(?!.*\b(?:but|so|must|should|make sure|please)\b)/i;
/** "No" begins a sentence in other languages, too. */
const FOREIGN_NO = /^no\s\S*[à-öø-ÿ]|^no (?:hay|es|funciona|quiero|puedo|toques|se|lo|la|me|non|login|celular)\b/i;
/** Bans without a verb, such as "no emojis", "no PII in local storage". */
const BAN = /^(?:and |but |also |please )?(?:no|not|skip|nothing)\b(?! (?:it|that|this|worries|problem|idea|thanks))/i;
const CORRECTION_OPENING =
  /^(?:no\b(?! (?:worries|problem|need))|nope|wait\b|stop\b|actually|that['’]?s (?:not|wrong)|that (?:is|was) (?:not|wrong)|not (?:what|that|quite|really|sure (?:that|this))|wrong|hm+\b|u+m\b|you (?:forgot|missed|broke|didn['’]?t|did not|should(?:n['’]?t)? have|are (?:wrong|not)|removed|deleted)|why (?:did|are|is|would|do) (?:you|it|there|this|that)|it(?:['’]?s| is) (?:still|not)|(?:it|this|that) (?:still|doesn['’]?t|does not|didn['’]?t|isn['’]?t)|(?:it |this |we )?still\b|undo|revert|roll ?back|i (?:said|meant|asked|told you|don['’]?t (?:think|want|see|like)|still)|but\b|same (?:error|issue|problem)|nothing (?:changed|happen)|sorry,)/i;
const CORRECTION =
  /\bthat(?:['’]?s| is| was) (?:not (?:right|what|the|correct|it)|wrong|incorrect)|\b(?:not|isn['’]?t) the (?:branch|file|one|right)|\bi (?:think|guess) (?:that|this|you)(?:['’]?s| is|['’]?re| are)? (?:wrong|not)|\binstead\b|\bdoes(?:n['’]?t| not) work\b|\bstill (?:not|fail|see|get|broken|the same|happen|doesn)|\byou (?:forgot|missed|broke)\b|\bshouldn['’]?t (?:it|we|you|that|this)\b|\bseems? (?:to be )?(?:a (?:bit|little) )?(?:too|off|wrong|broken)\b|\bi still\b/i;
/** Presses for time in so many words. A priority, a blocker or a day that is only mentioned does not. */
const URGENCY =
  /(?<!\bnot (?:that |so |very )?|\bn['’]t |\bno )\b(?:urgent(?:ly)?|asap|as soon as possible|right away|time.?critical|(?:in a|no time to lose, |please )?hurry|in a (?:rush|hurry)|running out of time|(?:production|prod|the site) is down|(?:is|are) (?:a |the )?(?:\w{1,12} )?blockers?(?: for)?|block(?:s|ing) (?:us|me|everyone|everything|the release)|(?:we|i)(?:['’]re| are|['’]m| am) blocked (?:by|on|until)|(?:hard |the |my |our )?deadline is|(?:it |this |that |they )?(?:is|are|['’]s) due (?:on|by|today|tomorrow|tonight|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:need|needs|needed|want|done|ready|finished?|ship(?:ped)?|deliver(?:ed)?|has|have|must|working|live)\b.{0,60}\b(?:by|before) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|noon|midnight|next week|the end of (?:the )?(?:day|week)|eod|eow|\d{1,2}(?::\d\d)? ?(?:am|pm)))\b|^(?:and )?by (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|eod|eow)\b|,\s?by (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|eod|eow)\b/i;
const FRUSTRATION =
  /\b(?:frustrat\w{0,6}|annoy\w{0,4}|wtf|ugh|argh|seriously|come on|for the (?:second|third|last|\w{1,8}th) time|i (?:already|just) (?:told|said|asked)|how many times|you keep|stop (?:doing|asking|guessing)|this is ridiculous|sick of|fed up|disappoint\w{0,4}|waste of|terrible|are you (?:kidding|sure)|trusting you)\b|[?!]{3,}/i;

export function createWordsTracker(saved: readonly UserWords[] = []): Tracker<readonly UserWords[]> {
  const words = [...saved];
  return {
    follow(happening) {
      const said = hear(happening);
      if (said === undefined) return;
      // All of a prompt is heard, however little of a long one is kept.
      const sentences = splitLoosely(said.text).filter(
        (sentence) => sentence.length <= MAX_SENTENCE_CHARACTERS && isProse(sentence),
      );
      const rules = findRuleSentences(said.text);
      words.push({
        ...said,
        text: cut(said.text),
        constraints: pick(sentences, isConstraint),
        ...(rules.length > 0 && { rules }),
        isCorrection: isCorrection(said.text),
        urgency: pick(sentences, (sentence) => URGENCY.test(sentence) && !QUESTION.test(sentence)),
        frustrations: pick(sentences, (sentence) => FRUSTRATION.test(sentence)),
      });
      if (words.length > MAX_WORDS) words.shift();
    },
    state: () => words.slice(),
  };
}

/** Whether a prompt corrects what was done rather than asks for something new. */
export function isCorrection(text: string): boolean {
  return opensAsCorrection(text) || CORRECTION.test(text.trim().slice(0, MAX_SENTENCE_CHARACTERS));
}

/** Checks the first words only: the rest of a long prompt may correct something else. */
export function opensAsCorrection(text: string): boolean {
  return CORRECTION_OPENING.test(text.trimStart());
}

function isConstraint(sentence: string): boolean {
  const isBan = BAN.test(sentence) && !FOREIGN_NO.test(sentence);
  return (CONSTRAINT.test(sentence) || isBan) && !QUESTION.test(sentence) && !LOOKS.test(sentence);
}

/** If there are too many, those that hold for all later work go before the others. */
function pick(sentences: readonly string[], isWanted: (sentence: string) => boolean): readonly string[] {
  const found = sentences.filter(isWanted);
  if (found.length <= MAX_SENTENCES) return found;
  const standing = new Set(found.filter(isStandingRule).slice(0, MAX_SENTENCES));
  const others = new Set(found.filter((sentence) => !standing.has(sentence)).slice(0, MAX_SENTENCES - standing.size));
  return found.filter((sentence) => standing.has(sentence) || others.has(sentence));
}

/** Prompts, answers in the person's own words, and what they said when refusing a call. */
function hear(happening: Happening): Pick<UserWords, "text" | "request" | "atMs" | "answers"> | undefined {
  if (happening.kind === "asked") {
    const { text, request, atMs, answers = "" } = happening;
    return { text, request, atMs, ...(answers !== "" && { answers }) };
  }
  if (happening.kind !== "outcome" || !happening.outcome.isRefused) return undefined;
  const said = findSaidInRefusal(happening.outcome.text);
  if (said === undefined) return undefined;
  return { text: said, request: happening.request, atMs: undefined };
}

function cut(text: string): string {
  if (text.length <= MAX_TEXT_CHARACTERS) return text;
  return `${text.slice(0, MAX_TEXT_CHARACTERS / 2)}\n…\n${text.slice(-MAX_TEXT_CHARACTERS / 2)}`;
}
