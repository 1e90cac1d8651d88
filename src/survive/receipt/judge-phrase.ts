import { findTerms } from "../record/find-terms.ts";
import { findMatches, textAround } from "./find-match.ts";
import { flatten, hasNegation, isForbidding } from "./find-words.ts";
import { hasTerm } from "./has-term.ts";
import { listRuns, type TextIndex } from "./index-text.ts";
import { HELD, type Judgement, LOST, PARAPHRASED } from "./judgement.ts";

/** This share of the words, close together, is the same thing said. */
const SAME_COVERAGE = 0.8;

const REVERSED: Judgement = { verdict: "lost", mark: "wrong polarity" };

/** A sentence that binds: word for word, or most of its words with its "not" among them. */
export function judgeConstraint(index: TextIndex, sentence: string): Judgement {
  const verbatim = findVerbatim(index, sentence);
  if (verbatim !== "unsaid") return verbatim === "said" ? HELD : REVERSED;
  const matches = findMatches(index, sentence);
  const [best] = matches;
  if (!best || !hasNames(index, sentence)) return LOST;
  if (isForbidding(sentence) && !matches.some((match) => hasNegation(textAround(index, match)))) return REVERSED;
  return best.coverage >= SAME_COVERAGE ? HELD : PARAPHRASED;
}

/** A sentence that names what nobody can guess says nothing where none of its names is left. */
function hasNames({ text }: TextIndex, sentence: string): boolean {
  const names = [...findTerms(sentence)].filter((term) => !/^\d+$/.test(term));
  return names.length === 0 || names.some((name) => hasTerm(text, name));
}

/** A sentence by its words alone. */
export function judgePhrase(index: TextIndex, phrase: string): Judgement {
  if (isVerbatim(index, phrase)) return HELD;
  const [best] = findMatches(index, phrase);
  if (!best) return LOST;
  return best.coverage >= SAME_COVERAGE ? HELD : PARAPHRASED;
}

/** A sentence by its words, where what it names is left too. */
export function judgeNamed(index: TextIndex, sentence: string): Judgement {
  const judged = judgePhrase(index, sentence);
  return judged.verdict !== "held" && !hasNames(index, sentence) ? LOST : judged;
}

/** Whether a text says a sentence word for word, and does not put a "not" before it. */
export function isVerbatim(index: TextIndex, sentence: string): boolean {
  return findVerbatim(index, sentence) === "said";
}

/**
 * Texts quote long sentences in parts: a run of words is enough. Of a sentence that forbids it must be the beginning, where
 * its "not" is.
 */
function findVerbatim({ flat, runs }: TextIndex, sentence: string): "said" | "negated" | "unsaid" {
  const whole = flatten(sentence.replace(/…$/, ""));
  const [beginning = whole.trim(), ...others] = listRuns(whole);
  if (beginning === "") return "unsaid";
  const forbids = isForbidding(sentence);
  const sought = ` ${beginning} `;
  let found: "negated" | "unsaid" = "unsaid";
  for (let at = flat.indexOf(sought); at >= 0; at = flat.indexOf(sought, at + 1)) {
    if (forbids || !/ (?:do not|dont|never|not to) $/.test(flat.slice(0, at + 1))) return "said";
    found = "negated";
  }
  return found === "unsaid" && !forbids && others.some((run) => runs.has(run)) ? "said" : found;
}
