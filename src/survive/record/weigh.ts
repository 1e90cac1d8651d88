import { estimateTextTokens } from "../../models/tokens.ts";

/** Estimates lie this far below the truth at most for texts of names and prose: budgets are kept with it added. */
const MARGIN = 1.1;

/**
 * The most tokens a text may take, whichever tokenizer reads it. The parts of a text that is cut at line breaks weigh
 * together at least what the whole does: who keeps every part within its share keeps the whole within the budget.
 */
export function weighText(text: string): number {
  return MARGIN * Math.max(estimateTextTokens(text, "classic"), estimateTextTokens(text, "dense"));
}

/** How many of its items a list shows: all, or the first so many with a word about the rest. */
export interface Fitted {
  readonly text: string;
  readonly shown: number;
}

/**
 * The rendering with the most items that stays within the limit, or nothing where not even the word about the rest does.
 * `render(count)` shows the first `count` items and says that others were left out.
 */
export function fitItems(total: number, maxTokens: number, render: (count: number) => string): Fitted {
  const fits = (count: number): boolean => weighText(render(count)) <= maxTokens;
  if (total === 0) return { text: "", shown: 0 };
  if (fits(total)) return { text: render(total), shown: total };
  let [low, high] = [0, total];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return fits(low) ? { text: render(low), shown: low } : { text: "", shown: 0 };
}
