import { weighText } from "../../models/tokens.ts";

/** A list that shows all of its items, or the first ones with a note on the rest. */
export interface Fitted {
  readonly text: string;
  readonly shown: number;
}

/** The rendering with the most items within the limit, or nothing. `render(count)` shows the first `count` items and says that others were left out. */
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
