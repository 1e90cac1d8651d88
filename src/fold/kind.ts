import type { Middle } from "./choose-lines.ts";
import type { Excerpt } from "./excerpt.ts";
import type { Hint } from "./hint.ts";
import type { Sheet } from "./sheet.ts";

/** Content of the index of names below the lines. `words` is for outputs whose lines are paths, so that it repeats none. */
export type NamesPolicy = "none" | "words" | "pathsAndWords";

/** Some non-empty lines from the beginning, middle and end, enough to recognise the kind. */
export interface Sample {
  readonly lines: readonly string[];
  readonly start: string;
  readonly size: number;
  readonly isNumbered: boolean;
}

/** One kind of content: how to recognise it and what a reader needs of it. Both functions are pure and never throw; kinds do not know one another. */
export interface Kind {
  /** As shown in a preview: `Preview (search hits):`. */
  readonly name: string;
  /** Default: `pathsAndWords`. */
  readonly names?: NamesPolicy;
  /** Default: `troubleAndOdd`. */
  readonly middle?: Middle;
  /** 0 is certainly not, 1 is certain. The text decides; the hint tips the balance. */
  recognise(sample: Sample, hint: Hint): number;
  /** Any number of pieces; the weightiest that fit are shown. `room` is approximate, for kinds that can be brief. */
  outline(sheet: Sheet, room: number, hint: Hint): readonly Excerpt[];
}

/** The share of lines that match; 0 as soon as it can no longer exceed `least`. */
export function shareOf(lines: readonly string[], pattern: Pick<RegExp, "test">, least = 0): number {
  let matches = lines.length;
  for (const line of lines) if (!pattern.test(line) && --matches / lines.length <= least) return 0;
  return matches / Math.max(1, lines.length);
}
