import type { TaskFact } from "./fact.ts";
import { findMatches } from "./find-match.ts";
import { type TextIndex, type Told, tell } from "./index-text.ts";
import { judgePhrase } from "./judge-phrase.ts";
import { type Judgement, LOST } from "./judgement.ts";

const WRONG_STATUS: Judgement = { verdict: "lost", mark: "wrong status" };
/** A passage that shares this much less with the subject than the best one speaks of something else. */
const SLACK = 0.15;

/**
 * By its subject's words, wherever its status is told right at least once or not told at all. A subject that speaks of being
 * done or pending itself says nothing of its status where it is quoted.
 */
export function judgeTask(index: TextIndex, { subject, status }: TaskFact): Judgement {
  const judged = judgePhrase(index, subject);
  if (judged.verdict === "lost") return LOST;
  if (tell(subject, "unsaid") !== "unsaid") return judged;
  const told = listTold(index, subject);
  const right: Told = status === "done" ? "done" : "open";
  const isWrong = told.length > 0 && !told.includes(right) && !told.includes("unsaid");
  return isWrong ? WRONG_STATUS : judged;
}

/** What the passages say that speak of it most clearly. */
function listTold(index: TextIndex, subject: string): readonly Told[] {
  const matches = findMatches(index, subject);
  const least = (matches[0]?.coverage ?? 0) - SLACK;
  return matches.flatMap(({ at, coverage }) => {
    const told = coverage >= least ? index.segments[at]?.told : undefined;
    return told === undefined ? [] : [told];
  });
}
