import { toOneLine } from "../../core/clip-text.ts";
import type { Fact } from "./fact.ts";
import { indexText } from "./index-text.ts";
import { judgeFact } from "./judge-fact.ts";
import type { Repair } from "./plan-repair.ts";

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
