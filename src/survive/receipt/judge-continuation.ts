import { baseName } from "../../session/file-path.ts";
import type { ContinuationFact } from "./fact.ts";
import { flatten } from "./find-words.ts";
import type { TextIndex } from "./index-text.ts";
import { judgePhrase } from "./judge-phrase.ts";
import { HELD, type Judgement, LOST, PARAPHRASED } from "./judgement.ts";

/** By what it is about, and by its place: both are held, one is a paraphrase, none is lost. */
export function judgeContinuation(index: TextIndex, fact: ContinuationFact): Judgement {
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
