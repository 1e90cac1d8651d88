/** Matches a sentence that announces a next step. "Let me read it" only introduces the call that follows. */
const NAMES_NEXT =
  /^\W{0,4}(?:next(?: up| steps?)?(?: is)?\s{0,2}[:,—–-]\s?\S|next,? (?:I|we)(?:'ll| will| need to)\b|(?:after|once) (?:that|this)\b.{0,80}\b(?:I|we)(?:'ll| will)\b|(?:still (?:to do|open|missing|left)|remaining(?: steps| work)?|left to do|to-?do|what(?:'s| is) left)\s{0,2}[:—–]|TODO\b|(?:I|we) still (?:need|have) to\b)/i;

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
