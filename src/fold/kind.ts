import type { Middle } from "./choose-lines.ts";
import type { Excerpt } from "./excerpt.ts";
import type { Hint } from "./hint.ts";
import type { Sheet } from "./sheet.ts";

/** What an index of names below the lines holds; where paths are what the lines are made of, it repeats none. */
export type NamesPolicy = "none" | "words" | "pathsAndWords";

/** Some of the lines, enough to tell what a text is: the first, some of the middle and the last; none empty. */
export interface Sample {
  readonly lines: readonly string[];
  /** The first characters of the whole text. */
  readonly start: string;
  readonly size: number;
  readonly isNumbered: boolean;
}

/**
 * One kind of content: how it is recognised and what of it a reader needs.
 * Both are pure and throw on nothing; kinds do not know one another.
 */
export interface Kind {
  /** As it stands in a preview: `Preview (search hits):`. */
  readonly name: string;
  readonly names: NamesPolicy;
  readonly middle: Middle;
  /** 0 for certainly not, 1 for certainly. The text decides, the hint tips the balance. */
  recognise(sample: Sample, hint: Hint): number;
  /** Pieces in any number; the weightiest that fit are shown. `room` is about what there is, for kinds that can be brief. */
  outline(sheet: Sheet, room: number, hint: Hint): readonly Excerpt[];
}

/** The share of lines that a pattern matches; 0 as soon as it cannot be above `least` any more. */
export function shareOf(lines: readonly string[], pattern: Pick<RegExp, "test">, least = 0): number {
  let matches = lines.length;
  for (const line of lines) if (!pattern.test(line) && --matches / lines.length <= least) return 0;
  return matches / Math.max(1, lines.length);
}
