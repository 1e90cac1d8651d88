import { findTerms } from "../compaction/find-terms.ts";
import type { ErrorFact, Fact } from "./fact.ts";
import { findMatches } from "./find-match.ts";
import { findWords, hasNegation } from "./find-words.ts";
import { hasTerm } from "./has-term.ts";
import type { TextIndex } from "./index-text.ts";
import { judgeContinuation } from "./judge-continuation.ts";
import { judgeFile } from "./judge-file.ts";
import { isVerbatim, judgeConstraint, judgeNamed, judgePhrase } from "./judge-phrase.ts";
import { judgeTask } from "./judge-task.ts";
import { HELD, type Judgement, LOST, PARAPHRASED } from "./judgement.ts";

/** Whether a text still tells a fact. Words are compared, not meanings. */
export function judgeFact(index: TextIndex, fact: Fact): Judgement {
  switch (fact.kind) {
    case "continuation":
      return judgeContinuation(index, fact);
    case "task":
      return judgeTask(index, fact);
    case "constraint":
      return judgeConstraint(index, fact.sentence);
    case "file":
      return judgeFile(index, fact);
    case "error":
      return judgeError(index, fact);
    case "identifier":
      return hasTerm(index.text, fact.term) ? HELD : LOST;
    case "decision":
      return judgeDecision(index, fact.sentence);
    case "failure":
      return judgeFailure(index, fact.line);
  }
}

/** An answer stands for its question. */
function judgeDecision(index: TextIndex, sentence: string): Judgement {
  const [, answer = ""] = sentence.split(" → ", 2);
  return findWords(answer).length > 1 && isVerbatim(index, answer) ? HELD : judgeNamed(index, sentence);
}

/** "tried X, failed because Y": by its words, or as the error that it is. */
function judgeFailure(index: TextIndex, line: string): Judgement {
  const [attempt = "", reason = ""] = line.replace(/^tried /, "").split(", failed because ", 2);
  const judged = judgePhrase(index, `${attempt} ${reason}`);
  return judged.verdict === "lost" ? judgeError(index, { attempt, line: reason }) : judged;
}

/** A line with no more than this says that something failed, and no reason. */
const LITTLE_WORDS = 2;
const FAILS = /\b(?:fail\w*|errors?|rejected|conflicts?|broken|not found|denied|crash\w*)\b/i;
const FAILURE_WORDS = /\b(?:errors?|fail(?:ed|ure|ures|s)?|fatal|exit code \d+|unable to|could not|cannot)\b/gi;
/** What is not there at all. */
const ABSENT =
  /(?:command not found|not found|[Nn]o module named|no such (?:file or directory|command))[: '"`]+([\w.-]+)/;

/** The line itself, what is peculiar to it, what it misses, or that this very attempt fails. */
function judgeError(index: TextIndex, { attempt, line }: Pick<ErrorFact, "attempt" | "line">): Judgement {
  if (isVerbatim(index, line)) return HELD;
  const told = stripPaths(line).replace(FAILURE_WORDS, " ");
  const terms = [...findTerms(told)];
  if (terms.length > 1 && terms.every((term) => hasTerm(index.text, term))) return PARAPHRASED;
  if (judgePhrase(index, told).verdict !== "lost" || lacks(index, line.match(ABSENT)?.[1] ?? "")) return PARAPHRASED;
  if (findWords(told).length > LITTLE_WORDS) return LOST;
  const failing = findMatches(index, stripPaths(attempt)).some(({ at }) =>
    FAILS.test(index.segments[at]?.text ?? ""),
  );
  return failing ? PARAPHRASED : LOST;
}

/** Whether a sentence says that something is not to be had. */
function lacks({ segments }: TextIndex, thing: string): boolean {
  if (thing === "") return false;
  const name = thing.toLowerCase();
  return segments.some(({ text }) => hasTerm(text.toLowerCase(), name) && hasNegation(text));
}

/** Where something is says little of what it is. */
function stripPaths(text: string): string {
  return text.replace(/\S*[\w.-]+\/[\w.-]+\/\S*/g, " ");
}
