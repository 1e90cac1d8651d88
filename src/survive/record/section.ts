import { type Fitted, fitItems, weighText } from "./weigh.ts";

/** A part of the record: a list, the most important first, that can be shown to any length. */
export interface Section {
  readonly name: string;
  readonly items: number;
  /** What it is sure of, as a share of the budget, and the most it takes of what others leave. The shares sum to 1 at most. */
  readonly share: number;
  readonly most: number;
  /** The section with its first `count` items; empty for none. */
  render(count: number): string;
}

export interface Placed extends Fitted {
  readonly name: string;
  readonly items: number;
}

/** Every section first gets its share, then what is left goes to them in order, the most important first. */
export function placeSections(sections: readonly Section[], budgetTokens: number): readonly Placed[] {
  const wanted = sections.map((section) =>
    section.items === 0 ? 0 : Math.min(weighText(frame(section.render(section.items))), section.most * budgetTokens),
  );
  const granted = sections.map(({ share }, index) => Math.min(wanted[index] ?? 0, share * budgetTokens));
  let left = budgetTokens - granted.reduce((sum, tokens) => sum + tokens, 0);
  return sections.map(({ name, items, render }, index) => {
    const limit = Math.min(Math.max(wanted[index] ?? 0, granted[index] ?? 0), (granted[index] ?? 0) + left);
    const fitted = fitItems(items, limit, (count) => frame(render(count)));
    // What a section does not use, because its next item is too long, is for the ones after it.
    left += (granted[index] ?? 0) - weighText(fitted.text);
    return { name, items, shown: fitted.shown, text: fitted.text };
  });
}

/** Sections stand apart by a blank line; it is weighed with them. */
function frame(text: string): string {
  return text === "" ? "" : `\n\n${text}`;
}

/** A heading with its lines; neither without the other. */
export function renderList(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [heading, ...lines].join("\n");
}
