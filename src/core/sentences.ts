/** A sentence that names a next step as such. "Let me read it" is the call that follows, not a plan. */
const NAMES_NEXT =
  /^\W{0,4}(?:next(?: up| steps?)?(?: is)?\s{0,2}[:,—–-]\s?\S|next,? (?:I|we)(?:'ll| will| need to)\b|(?:after|once) (?:that|this)\b.{0,80}\b(?:I|we)(?:'ll| will)\b|(?:still (?:to do|open|missing|left)|remaining(?: steps| work)?|left to do|to-?do|what(?:'s| is) left)\s{0,2}[:—–]|TODO\b|(?:I|we) still (?:need|have) to\b)/i;

/** Whether a sentence of the model says what it does next. A question leaves that to the user. */
export function isAnnouncement(sentence: string): boolean {
  return NAMES_NEXT.test(sentence) && !/\?\s{0,4}$/.test(sentence);
}

const SAID = /the user said:\s*([\s\S]+)$/i;

/** What a person answered instead of letting a call be made; `undefined` where the result of a call holds no such words. */
export function findSaidInRefusal(text: string): string | undefined {
  const said = SAID.exec(text)?.[1]?.trim();
  // Who wants to talk about the questions first has said nothing yet; the client says so at length.
  return said === undefined || said.startsWith("The user wants to clarify") ? undefined : said;
}
