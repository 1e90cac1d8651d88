import { clipLine } from "../../core/clip-text.ts";
import { findPaths } from "../../session/sentences.ts";
import type { SessionState } from "../../session/session.ts";
import type { Convention } from "./entry-kinds.ts";

const MAX_CONVENTIONS = 10;
const MAX_TITLE = 80;
const MAX_PATTERN = 300;
/** An order for every time: "always" or "never" where an order begins, with the verb behind it ("never uses" tells, it orders nothing). */
const ORDERS =
  /(?:^|[,;:.—-]\s{1,3})(?:(?:and|but|so|also|please|then|you (?:should|must)|we (?:should|must)?|make sure (?:to|you|we)|if not,?|ok(?:ay)?,?)\s{1,3}){0,3}(?:always|never)\s(?!(?:in|on|at|the|a|an|be|been|had|seems?|the|to|for|of)\b)(?!\w{1,30}(?:ing|ed|s)\b)[a-z]{2,}/i;
/** For all time to come, in so many words. */
const HENCEFORTH =
  /\b(?:from now on|going forward)\b|^(?:please |also )?remember to\b|\bin this (?:project|repo(?:sitory)?|codebase),? (?:we|you|always|never|use|do not|don['’]?t)\b/i;
/** Wishes, guesses and what a program shall say to its own users are no rules for the work. */
const SUPPOSES =
  /\?\s*$|\b(?:might|maybe|perhaps|would be|wondering|i think|could|if (?:some|a) (?:task|user)|note (?:this|that|in)|the user)\b/i;

/** What the person laid down for all further work, word for word; what was only said of this once is none. */
export function findConventions({ words }: SessionState): readonly Convention[] {
  const sentences = words.flatMap(({ constraints }) => constraints).filter(isConvention);
  return [...new Set(sentences)].slice(-MAX_CONVENTIONS).map((sentence) => ({
    title: clipLine(sentence, MAX_TITLE),
    pattern: clipLine(sentence, MAX_PATTERN),
    example: "",
    appliesTo: findPaths(sentence).join(", "),
  }));
}

export function isConvention(sentence: string): boolean {
  if (sentence.length < 15 || sentence.length > MAX_PATTERN || SUPPOSES.test(sentence)) return false;
  return ORDERS.test(sentence) || HENCEFORTH.test(sentence);
}
