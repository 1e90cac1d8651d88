import type { Fact } from "./fact.ts";
import { indexText } from "./index-text.ts";
import { judgeFact } from "./judge-fact.ts";
import type { LossMark } from "./judgement.ts";

/** What a summary kept of a session, each list by importance. */
export interface SummaryDiff {
  readonly held: readonly Fact[];
  readonly paraphrased: readonly Fact[];
  readonly lost: readonly LostFact[];
}

export interface LostFact {
  readonly fact: Fact;
  /** Present where the summary speaks of it, but wrongly. */
  readonly mark?: LossMark;
}

/** Deterministic; time grows with the text, and with the words of the facts times the passages they occur in. */
export function diffSummary(summary: string, facts: readonly Fact[]): SummaryDiff {
  const index = indexText(summary);
  const held: Fact[] = [];
  const paraphrased: Fact[] = [];
  const lost: LostFact[] = [];
  // Sorting is stable: within one importance the order of the facts stays.
  for (const fact of [...facts].sort((left, right) => left.importance - right.importance)) {
    const { verdict, mark } = judgeFact(index, fact);
    if (verdict === "lost") lost.push({ fact, ...(mark && { mark }) });
    else (verdict === "held" ? held : paraphrased).push(fact);
  }
  return { held, paraphrased, lost };
}
