import { findTerms } from "../compaction/find-terms.ts";
import { baseName } from "../file-path.ts";
import { findMatches, textAround } from "./find-match.ts";
import { flatten, hasNegation, isForbidding } from "./find-words.ts";
import { hasTerm } from "./has-term.ts";
import type { TextIndex } from "./index-text.ts";
import { HELD, type Judgement, LOST, PARAPHRASED } from "./judgement.ts";

/** This share of the words, close together, is the same thing said. */
const SAME_COVERAGE = 0.8;
/** Of a long sentence the beginning word for word is enough: texts quote by their beginnings. */
const VERBATIM_CHARACTERS = 50;

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

/** A sentence that names what nobody can guess, a place or a name of code, says nothing where none of it is left. */
function hasNames({ text, flat }: TextIndex, sentence: string): boolean {
  const code = [...sentence.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => flatten(span));
  if (code.some((span) => span.trim().includes(" ") && flat.includes(span))) return true;
  const paths = sentence.match(/\/[\w.@-]+(?:\/[\w.@-]+){2,}/g) ?? [];
  if (paths.length > 0 && !paths.some((path) => text.includes(baseName(path.replace(/\.$/, ""))))) return false;
  const terms = [...findTerms(sentence)].filter((term) => !/^\d+$/.test(term));
  return terms.length === 0 || terms.some((term) => hasTerm(text, term));
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

function findVerbatim({ flat }: TextIndex, sentence: string): "said" | "negated" | "unsaid" {
  const whole = flatten(sentence.replace(/…$/, ""));
  const sought = whole.length > VERBATIM_CHARACTERS ? whole.slice(0, VERBATIM_CHARACTERS) : whole;
  let found: "negated" | "unsaid" = "unsaid";
  if (sought.trim() === "") return found;
  for (let at = flat.indexOf(sought); at >= 0; at = flat.indexOf(sought, at + 1)) {
    if (isForbidding(sentence) || !/ (?:do not|dont|never|not to) $/.test(flat.slice(0, at + 1))) return "said";
    found = "negated";
  }
  return found;
}
