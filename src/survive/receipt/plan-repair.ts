import { toOneLine } from "../../core/clip-text.ts";
import type { LostFact, SummaryDiff } from "./diff-summary.ts";
import type { Fact } from "./fact.ts";
import { indexText } from "./index-text.ts";
import { judgeFact } from "./judge-fact.ts";

/** What to put back, and which facts that repairs. The text is empty if nothing is lost or nothing fits. */
export interface Repair {
  readonly text: string;
  readonly repaired: readonly RepairedFact[];
  /** Lost facts for which there was no room, by importance. */
  readonly leftOut: readonly Fact[];
}

export interface RepairedFact {
  readonly fact: Fact;
  /** The line that states it; empty if other lines of the repair already do. */
  readonly line: string;
}

/** Marks a repair in a transcript, so that it is not taken for the user's words. */
export const REPAIR_OPENING = "[restored from this session's record";

/** The client cuts a hook's output at this length. */
export const MAX_INJECTED_CHARACTERS = 10_000;

const LOST = "the summary above left this out or got it wrong";

/** The smallest injection that puts back what a summary lost, the most important first. It repeats nothing, and stays within `maxCharacters`. */
export function planRepair(
  diff: SummaryDiff,
  maxCharacters: number = MAX_INJECTED_CHARACTERS,
  why: string = LOST,
): Repair {
  const repaired: RepairedFact[] = [];
  const leftOut: Fact[] = [];
  let text = "";
  for (const lost of diff.lost) {
    const { fact } = lost;
    const line = renderLine(lost);
    const longer = text === "" ? `${renderHeader(diff)}: ${why}]\n${line}` : `${text}\n${line}`;
    if (text !== "" && isSaid(text, fact)) repaired.push({ fact, line: "" });
    else if (longer.length > maxCharacters) leftOut.push(fact);
    else {
      repaired.push({ fact, line });
      text = longer;
    }
  }
  return { text, repaired, leftOut };
}

/** Dated by the last request in the record, because later ones may have changed what it says. */
function renderHeader({ held, paraphrased, lost }: SummaryDiff): string {
  const facts = [...held, ...paraphrased, ...lost.map(({ fact }) => fact)];
  const request = facts.reduce((latest, fact) => Math.max(latest, fact.request), 0);
  return `${REPAIR_OPENING}, request ${request}`;
}

function renderLine({ fact, mark }: LostFact): string {
  const line = `- ${fact.text.replace(/\s+/g, " ")}`;
  return mark === undefined ? line : `${line} (the summary has the ${mark})`;
}

/** Whether the repair already contains a fact: a file named in the next step needs no line of its own. */
function isSaid(text: string, fact: Fact): boolean {
  return (fact.kind === "file" || fact.kind === "identifier") && judgeFact(indexText(text), fact).verdict === "held";
}

export type Landing = { readonly status: "landed" } | { readonly status: "missing"; readonly missing: readonly Fact[] };

/** Looks for every repaired line in a later text, word for word except for line breaks and indents. What is not found has to be sent again in another way. */
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
