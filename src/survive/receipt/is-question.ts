/** A question that asks for something to be done, or proposes it. */
const REQUEST =
  /\b(?:(?:can|could) (?:you|we)|(?:would|will) you|please|let['’]?s|lets|make sure|(?:i|we) (?:\w+ )?(?:want|need|prefer)|i['’]?d|in favou?r|(?:maybe|perhaps|probably) (?:we|you)|(?:we|you) (?:probably )?should|is there (?:a|any) way|don['’]?t you)\b/i;
/** Asks for words, however it ends. */
const EXPLAIN = /^(?:\w+[,:]? ){0,2}(?:(?:can|could|would) (?:you|we) (?:please )?)?(?:explain|clarify)\b/i;

/** Whether a text asks for an answer and for nothing to be done. */
export function isQuestion(text: string): boolean {
  return EXPLAIN.test(text) || (/\?["'”’)\s]*$/.test(text) && !REQUEST.test(text));
}
