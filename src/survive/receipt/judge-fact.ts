import { baseName } from "../../session/file-path.ts";
import type { ContinuationFact, Fact } from "./fact.ts";
import { findWords, flatten } from "./find-words.ts";
import { hasTerm } from "./has-term.ts";
import type { TextIndex } from "./index-text.ts";
import { judgeError } from "./judge-error.ts";
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
    case "request":
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

/** That something is a decision says nothing of it. */
const LABEL = /^\W*(?:\w+ ){0,3}decisions?:\W*/i;

/** An answer stands for its question. */
function judgeDecision(index: TextIndex, sentence: string): Judgement {
  const [, chosen = ""] = sentence.split(" → ", 2);
  const answer = chosen.replace(/ \(recommended\)$/i, "");
  return findWords(answer).length > 1 && isVerbatim(index, answer)
    ? HELD
    : judgeNamed(index, sentence.replace(LABEL, ""));
}

/** "tried X, failed because Y": by its words, or as the error that it is. */
function judgeFailure(index: TextIndex, line: string): Judgement {
  const [attempt = "", reason = ""] = line.replace(/^tried /, "").split(", failed because ", 2);
  const judged = judgePhrase(index, `${attempt} ${reason}`);
  return judged.verdict === "lost" ? judgeError(index, { attempt, line: reason }) : judged;
}

/** By what it is about, and by its place: both are held, one is a paraphrase, none is lost. */
function judgeContinuation(index: TextIndex, fact: ContinuationFact): Judgement {
  const { subject, command, path, symbol } = fact;
  const about = subject === "" ? judgeCommand(index, command) : judgePhrase(index, subject);
  const hasFile = path !== "" && index.text.includes(baseName(path));
  if (about.verdict === "lost") return hasFile ? PARAPHRASED : LOST;
  return about.verdict === "held" && (path === "" || (hasFile && index.text.includes(symbol))) ? HELD : PARAPHRASED;
}

function judgeCommand(index: TextIndex, command: string): Judgement {
  const bare = command.replace(/ 2>.*| \| .*| --?[a-z][\w-]*(?:[= ]\d+)?/g, "");
  return index.flat.includes(flatten(bare)) ? HELD : judgePhrase(index, bare);
}
