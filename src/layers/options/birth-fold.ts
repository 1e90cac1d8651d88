import { DEFAULT_LIMITS, exceeds, isWorthFolding } from "../../fold/thresholds.ts";

/** Which results are folded before they are first sent. They are out of sight while they are hot, so only what the model rarely goes on from. */
export interface BirthFold {
  /** Longer results are folded. */
  readonly characters: number;
  readonly lines: number;
  /** Characters that stand in the place of one. */
  readonly budget: number;
  /** Results of which actions, as the host's vocabulary names them. */
  readonly kinds: readonly string[];
  /** Actions whose results are worked with next: whole up to so many characters, however many lines. */
  readonly patient?: { readonly kinds: readonly string[]; readonly characters: number };
  /** What is shown of one: what its kind says matters, or the first ten lines (`classic`). */
  readonly style?: "content" | "classic";
}

/** Whether a result of this action is folded. */
export function isFoldDue(text: string, kind: string, rule: BirthFold): boolean {
  if (!rule.kinds.includes(kind) || !mayBeFolded(text, rule)) return false;
  return !rule.patient?.kinds.includes(kind) || text.length > rule.patient.characters;
}

/** Whether it would be folded if it came of the right action: what can be said before anything is known of the call. */
export function mayBeFolded(text: string, rule: Pick<BirthFold, "characters" | "lines" | "budget">): boolean {
  const isLong = text.length >= DEFAULT_LIMITS.leastCharacters && exceeds(text, rule) !== undefined;
  return isLong && isWorthFolding(text, rule.budget);
}
