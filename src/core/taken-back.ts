import { splitLoosely } from "./sentences.ts";

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
