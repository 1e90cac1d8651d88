import { toOneLine } from "../../core/clip-text.ts";
import type { LostFact, SummaryDiff } from "./diff-summary.ts";
import type { Fact } from "./fact.ts";
import { indexText } from "./index-text.ts";
import { judgeFact } from "./judge-fact.ts";

/** What to put back, and what that repairs. Empty text: nothing is lost, or nothing fits. */
export interface Repair {
  readonly text: string;
  readonly repaired: readonly RepairedFact[];
  /** Lost facts for which there was no room, by importance. */
  readonly leftOut: readonly Fact[];
}

export interface RepairedFact {
  readonly fact: Fact;
  /** The line that tells it; empty where other lines of the repair tell it already. */
  readonly line: string;
}

/** By these words a repair is known again in a transcript: they are ours, not the person's. */
export const REPAIR_OPENING = "[restored from this session's record";

/** A hook's output is cut at this length by the client. */
export const MAX_INJECTED_CHARACTERS = 10_000;

/**
 * The smallest injection that puts back what a summary lost, the most important first. Nothing that the summary holds is
 * repeated, nothing is told twice, and the text is never longer than `maxCharacters`.
 */
export function planRepair(diff: SummaryDiff, maxCharacters: number = MAX_INJECTED_CHARACTERS): Repair {
  if (!(maxCharacters >= 0))
    throw new TypeError(`a repair needs a limit: pass maxCharacters of 0 or more, not ${maxCharacters}`);
  const repaired: RepairedFact[] = [];
  const leftOut: Fact[] = [];
  let text = "";
  for (const { fact, mark } of diff.lost) {
    const line = renderLine({ fact, ...(mark && { mark }) });
    const longer = text === "" ? `${renderHeader(diff)}\n${line}` : `${text}\n${line}`;
    if (text !== "" && isTold(text, fact)) repaired.push({ fact, line: "" });
    else if (longer.length > maxCharacters) leftOut.push(fact);
    else {
      repaired.push({ fact, line });
      text = longer;
    }
  }
  return { text, repaired, leftOut };
}

/** Dated by the last request that the record knows: later ones may have changed what it says. */
function renderHeader({ held, paraphrased, lost }: SummaryDiff): string {
  const facts = [...held, ...paraphrased, ...lost.map(({ fact }) => fact)];
  const request = facts.reduce((latest, fact) => Math.max(latest, fact.request), 0);
  return `${REPAIR_OPENING}, request ${request}: the summary above left this out or got it wrong]`;
}

function renderLine({ fact, mark }: LostFact): string {
  const line = `- ${fact.text.replace(/\s+/g, " ")}`;
  return mark === undefined ? line : `${line} (the summary has the ${mark})`;
}

/** Whether the repair tells a fact by itself: a file that the place to go on names needs no line of its own. */
function isTold(text: string, fact: Fact): boolean {
  return (fact.kind === "file" || fact.kind === "identifier") && judgeFact(indexText(text), fact).verdict === "held";
}

/** Whether an injection is to be seen in what came after it. */
export type Landing = { readonly status: "landed" } | { readonly status: "missing"; readonly missing: readonly Fact[] };

/**
 * Looks for every repaired fact in the text of a later request or transcript, decoded: its line word for word, line breaks
 * and indents aside. What is not found is missing, and to be sent again by another way.
 */
export function checkLanded({ repaired }: Pick<Repair, "repaired">, laterText: string): Landing {
  const later = toOneLine(laterText);
  const index = indexText(laterText);
  const missing = repaired
    .filter(({ fact, line }) =>
      line === "" ? judgeFact(index, fact).verdict === "lost" : !later.includes(toOneLine(line)),
    )
    .map(({ fact }) => fact);
  return missing.length === 0 ? { status: "landed" } : { status: "missing", missing };
}
