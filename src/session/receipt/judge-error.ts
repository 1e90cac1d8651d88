import { findTerms } from "../compaction/find-terms.ts";
import type { ErrorFact } from "./fact.ts";
import { findMatches } from "./find-match.ts";
import { findWords, flatten, hasNegation } from "./find-words.ts";
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

/** The line itself, what is peculiar to it, what it misses, or that this very attempt fails. */
export function judgeError(index: TextIndex, { attempt, line }: Pick<ErrorFact, "attempt" | "line">): Judgement {
  if (isVerbatim(index, line)) return HELD;
  const told = stripPaths(line).replace(FAILURE_WORDS, " ");
  const terms = [...findTerms(told)];
  if (terms.length > 1 && terms.every((term) => hasTerm(index.text, term))) return PARAPHRASED;
  if (judgePhrase(index, told).verdict !== "lost" || lacks(index, line.match(ABSENT)?.[1] ?? "")) return PARAPHRASED;
  if (hasPlace(index, line) || isStillToRun(index, attempt) || isSolved(index, { attempt, line })) return PARAPHRASED;
  if (findWords(told).length > LITTLE_WORDS) return LOST;
  const failing = findMatches(index, stripPaths(attempt)).some(({ at }) => FAILS.test(index.segments[at]?.text ?? ""));
  return failing ? PARAPHRASED : LOST;
}

/** What a compiler or a parser calls an error, beside the file that it found it in. */
function hasPlace({ segments }: TextIndex, line: string): boolean {
  const [file = ""] = line.match(/(?<![\w.-])[\w.-]+(?=:\d)/) ?? [];
  const [sort = ""] = line.match(/\b(?:syntax|type|parse|reference|import|link(?:er)?) error\b/i) ?? [];
  if (!file.includes(".") || sort === "") return false;
  return segments.some(({ text }) => hasTerm(text, file) && text.toLowerCase().includes(sort.toLowerCase()));
}

/** Whether the command that failed is told, word for word up to its paths, as one that is still to be run. */
function isStillToRun({ segments }: TextIndex, attempt: string): boolean {
  const [command = ""] = attempt.split(/\s(?=\S*\/)/, 1);
  if (findWords(command).length <= LITTLE_WORDS) return false;
  return segments.some(({ text, told }) => told === "open" && flatten(text).includes(flatten(command)));
}

/** Whether the last command of the attempt is told as one that works by now, in words of the error: nothing is open then. */
function isSolved(index: TextIndex, { attempt, line }: Pick<ErrorFact, "attempt" | "line">): boolean {
  const [command = ""] = attempt.split(/&&|\|\||;/).slice(-1);
  const words = new Set(findWords(line));
  return findMatches(index, command).some(({ at }) => {
    const text = index.segments[at]?.text ?? "";
    return SOLVED.test(text) && findWords(text).some((word) => words.has(word));
  });
}

/** Whether a sentence says that something is not to be had. */
function lacks({ segments }: TextIndex, thing: string): boolean {
  if (thing === "") return false;
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
