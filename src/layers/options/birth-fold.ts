import { DEFAULT_BUDGET, DEFAULT_LIMITS, exceeds, isWorthFolding } from "../../fold/thresholds.ts";

/** Which results are folded before they are first sent. The model never sees them whole, so only those it rarely works with next. */
export interface BirthFold {
  readonly characters: number;
  readonly lines: number;
  /** Characters that replace one. */
  readonly budget: number;
  /** Actions whose results are folded, as the host's vocabulary names them. */
  readonly kinds: readonly string[];
  /** Actions whose results are used next: kept whole up to this many characters, however many lines. */
  readonly patient?: { readonly kinds: readonly string[]; readonly characters: number };
  /** What is shown: what matters for its kind, or the first ten lines (`classic`). */
  readonly style?: "content" | "classic";
}

export function isFoldDue(text: string, kind: string, rule: BirthFold): boolean {
  if (!rule.kinds.includes(kind) || !mayBeFolded(text, rule)) return false;
  return !rule.patient?.kinds.includes(kind) || text.length > rule.patient.characters;
}

/** Whether it would be folded if the action is right: all that can be said before the call is known. */
export function mayBeFolded(
  text: string,
  rule: Pick<BirthFold, "characters" | "lines" | "budget"> = { ...DEFAULT_LIMITS, budget: DEFAULT_BUDGET },
): boolean {
  const isLong = text.length >= DEFAULT_LIMITS.leastCharacters && exceeds(text, rule);
  return isLong && isWorthFolding(text, rule.budget);
}
