import type { Fact, LossMark } from "./fact.ts";
import { indexText } from "./index-text.ts";
import { judgeFact } from "./judge-fact.ts";

/** What a summary kept of a session, each list by importance. */
export interface SummaryDiff {
  readonly held: readonly Fact[];
  readonly paraphrased: readonly Fact[];
  readonly lost: readonly LostFact[];
}

export interface LostFact {
  readonly fact: Fact;
  /** Set if the summary mentions it, but wrongly. */
  readonly mark?: LossMark;
}

/** `kept` is what the client kept word for word in addition to the summary. Time grows with the text, and with the facts' words times the passages they occur in. */
export function diffSummary(summary: string, facts: readonly Fact[], kept = ""): SummaryDiff {
  const index = indexText(summary);
  const held: Fact[] = [];
  const paraphrased: Fact[] = [];
  const lost: LostFact[] = [];
  // Sorting is stable: facts of equal importance keep their order.
  for (const fact of [...facts].sort((left, right) => left.importance - right.importance)) {
    const { verdict, mark } = judgeFact(index, fact);
    if (verdict === "lost") lost.push({ fact, ...(mark && { mark }) });
    else (verdict === "held" ? held : paraphrased).push(fact);
  }
  return spareKept({ held, paraphrased, lost }, kept);
}

/** What the kept messages contain word for word is not lost. Paraphrases do not count here, because a long text paraphrases anything. */
function spareKept(diff: SummaryDiff, kept: string): SummaryDiff {
  if (kept === "" || diff.lost.length === 0) return diff;
  const index = indexText(kept);
  const isKept = diff.lost.map(({ fact }) => judgeFact(index, fact).verdict === "held");
  return {
    held: [...diff.held, ...diff.lost.filter((_, at) => isKept[at]).map(({ fact }) => fact)],
    paraphrased: diff.paraphrased,
    lost: diff.lost.filter((_, at) => !isKept[at]),
  };
}
