/** Matches a sentence that announces a next step. "Let me read it" only introduces the call that follows. */
const NAMES_NEXT =
  /^\W{0,4}(?:(?:(?:my|the) )?next(?: up| (?:steps?|task|thing))?(?: (?:is|will be))?\s{0,2}(?:[:,—–-]\s?\S|to\s)|(?:my|the) (?:next|last|final|remaining) (?:steps?|thing|task)(?: left)? (?:is|are|will be)\b|next,? (?:I|we)(?:['’]ll| will| need to| should)\b|(?:then|after (?:that|this|which)|finally|to finish(?: up)?),? (?:I|we)(?:['’]ll| will)\b|(?:after|once) (?:that|this|the)\b.{0,80}\b(?:I|we)(?:['’]ll| will)\b|(?:up next|next up is)\b|(?:still (?:to do|open|missing|left)|remaining(?: steps| work)?|left to do|to-?do|what(?:['’]s| is) (?:left|next)|what remains)\s{0,2}(?:[:—–]|is\b)|TODO\b|(?:I|we)(?: still|['’]ll still| also still) (?:need|have) to\b|(?:I|we) (?:haven['’]t|have not) (?:yet )?\w+|(?:I|we)(?:['’]ll| will) \w+ .{1,80}\bnext\b)/i;

/** Whether the model says in this sentence what it does next. A question leaves that to the user. */
export function isAnnouncement(sentence: string): boolean {
  return NAMES_NEXT.test(sentence) && !/\?\s{0,4}$/.test(sentence);
}

const SAID = /the user said:\s*([\s\S]+)$/i;

/** What a person answered instead of allowing a call; `undefined` if the call's result holds no such words. */
export function findSaidInRefusal(text: string): string | undefined {
  const said = SAID.exec(text)?.[1]?.trim();
  // A user who wants to discuss the questions first has said nothing yet; the client reports that at length.
  return said === undefined || said.startsWith("The user wants to clarify") ? undefined : said;
}

/** Typed text as sentences, which may begin in any way; none is cut. */
export function splitLoosely(text: string): readonly string[] {
  return splitSentencesAt(text, /(?<=[^.]{3}[.!?])(?<!\b(?:e\.g|i\.e|etc|vs|approx)\.)\s+/);
}

/** Prose in parts, without code blocks; list items and headings are parts of their own. */
export function splitSentencesAt(text: string, end: RegExp): readonly string[] {
  return stripCode(text)
    .split(/\n+/)
    .flatMap((line) => line.replace(/^\s{0,40}(?:[-*•>]|\d{1,3}[.)]|#{1,6})\s{1,9}/, "").split(end))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** Removes fenced code; an unclosed fence reaches to the end. */
export function stripCode(text: string): string {
  if (!text.includes("```")) return text;
  return text
    .split("```")
    .filter((_, index) => index % 2 === 0)
    .join("\n");
}

const HINT = /wrong|incorrect|mistaken|\bmis|correct(?:ion|ing)|cause\b|culprit/i;
const TAKES_BACK =
  /\b(?:I (?:was|had it|got (?:that|this|it)) (?:\w+ )?(?:wrong|mistaken)|I (?:misread|misunderstood|misdiagnosed|misstated|misspoke|misidentified|mistakenly \w+|incorrectly \w+|wrongly \w+)|my (?:earlier|previous|initial|first|original) (?:\w+ ){1,6}(?:was|were|is) (?:\w+ )?(?:wrong|incorrect|mistaken|false)|(?:that|this|it) (?:turned out to be|was) (?:the )?wrong (?:cause|diagnosis|conclusion|assumption)|(?:correction|corrections) to (?:my|what I)|correcting (?:my (?:earlier|previous|last)|what I said)|(?:was|is)(?: not|n['’]t) the (?:actual |real |root )?(?:cause|culprit)\b)/i;
/** A supposition, a question, or what somebody else did wrong. */
const NO_STATEMENT =
  /\b(?:if|whether|unless|in case|might|may|could|maybe|perhaps|suppose)\b|\?\s{0,4}$|["“`][^"”`]*\bI was wrong/i;
const MAX_SENTENCES = 5;

/** Sentences in which somebody takes back what they said before: later work must not go by the earlier claim. */
export function findTakenBack(text: string): readonly string[] {
  if (!HINT.test(text)) return [];
  return splitLoosely(text).filter(takesBack).slice(-MAX_SENTENCES);
}

export function takesBack(sentence: string): boolean {
  return TAKES_BACK.test(sentence) && !NO_STATEMENT.test(sentence);
}
