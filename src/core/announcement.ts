/** A sentence that names a next step as such. "Let me read it" is the call that follows, not a plan. */
const NAMES_NEXT =
  /^\W{0,4}(?:next(?: up| steps?)?(?: is)?\s{0,2}[:,—–-]\s?\S|next,? (?:I|we)(?:'ll| will| need to)\b|(?:after|once) (?:that|this)\b.{0,80}\b(?:I|we)(?:'ll| will)\b|(?:still (?:to do|open|missing|left)|remaining(?: steps| work)?|left to do|to-?do|what(?:'s| is) left)\s{0,2}[:—–]|TODO\b|(?:I|we) still (?:need|have) to\b)/i;

/** Whether a sentence of the model says what it does next. A question leaves that to the user. */
export function isAnnouncement(sentence: string): boolean {
  return NAMES_NEXT.test(sentence) && !/\?\s{0,4}$/.test(sentence);
}
