import type { ErrorFact } from "./fact.ts";
import { findMatches } from "./find-match.ts";
import { findWords, hasNegation } from "./find-words.ts";
import { hasTerm } from "./has-term.ts";
import type { TextIndex } from "./index-text.ts";
import { isVerbatim, judgePhrase } from "./judge-phrase.ts";
import { HELD, type Judgement, LOST, PARAPHRASED } from "./judgement.ts";

/** A line with no more than this says that something failed, and no reason. */
const LITTLE_WORDS = 2;
const FAILS = /\b(?:fail\w*|errors?|rejected|conflicts?|broken|not found|denied|crash\w*)\b/i;
const SOLVED = /\b(?:success\w*|succeed\w*|now (?:works|passes)|resolved by)\b/i;
const FAILURE_WORDS = /\b(?:errors?|fail(?:ed|ure|ures|s)?|fatal|exit code \d+|unable to|could not|cannot)\b/gi;
/** What is not there at all. */
const ABSENT =
  /(?:command not found|not found|[Nn]o module named|no such (?:file or directory|command))[: '"`]+([\w.-]+)/;

/** By its line, by what the line misses, or by what became of the command. */
export function judgeError(index: TextIndex, { attempt, line }: Pick<ErrorFact, "attempt" | "line">): Judgement {
  if (isVerbatim(index, line)) return HELD;
  const reason = stripPaths(line).replace(FAILURE_WORDS, " ");
  const [, thing = ""] = line.match(ABSENT) ?? [];
  const told = thing === "" ? judgePhrase(index, reason).verdict !== "lost" : lacks(index, thing);
  if (told) return PARAPHRASED;
  const isBare = findWords(reason).length <= LITTLE_WORDS;
  return hasOutcome(index, { attempt, line, isBare }) ? PARAPHRASED : LOST;
}

/**
 * Whether the attempt, or the last command of it, is told in words of its error as one that works by now or is still to be
 * run. That it fails is enough where the line says no more itself.
 */
function hasOutcome(
  index: TextIndex,
  { attempt, line, isBare }: Pick<ErrorFact, "attempt" | "line"> & { readonly isBare: boolean },
): boolean {
  const words = new Set(findWords(line));
  const [command = ""] = attempt.split(/&&|\|\||;/).slice(-1);
  return [attempt, command]
    .flatMap((tried) => findMatches(index, stripPaths(tried)))
    .some(({ at }) => {
      const { text = "", told } = index.segments[at] ?? {};
      if (isBare && FAILS.test(text)) return true;
      return (told === "open" || SOLVED.test(text)) && findWords(text).some((word) => words.has(word));
    });
}

/** Whether a sentence says that something is not to be had. */
function lacks({ segments }: TextIndex, thing: string): boolean {
  const name = thing.toLowerCase();
  return segments.some(({ text }) => hasTerm(text.toLowerCase(), name) && hasNegation(text));
}

/** Where something is says little of what it is. */
function stripPaths(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => !/[\w.-][/:][\w.-]+\//.test(word))
    .join(" ");
}
