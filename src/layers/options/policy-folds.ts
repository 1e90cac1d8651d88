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

/** How aggressive a policy is, as a name that a person can choose. */
export type PolicyName = "thrifty" | "balanced" | "cautious";

export interface PolicyFolds {
  /** What is folded before it is first sent, if old exchanges are collapsed later. */
  readonly fold: BirthFold;
  /** The same for entry points that can only fold: what stays whole is carried until the client compacts, so folding pays much earlier. */
  readonly foldAlone: BirthFold;
}

/** Every action whose result can be of any length. */
export const EVERY_KIND: readonly string[] = ["run", "search", "fetch", "other", "delegate", "read", "edit", "write"];

/**
 * The documented limits. Three of ten folded reads are followed by an edit of the same file, which needs its exact text, and a subagent's
 * report was written for this very reader: each policy sets its patience with those.
 */
const DOCUMENTED_FOLD: BirthFold = {
  characters: DEFAULT_LIMITS.characters,
  lines: DEFAULT_LIMITS.lines,
  budget: DEFAULT_BUDGET,
  kinds: EVERY_KIND,
};

const LARGE_FOLD: BirthFold = {
  characters: 16_000,
  lines: Number.POSITIVE_INFINITY,
  budget: 6_000,
  kinds: ["run", "search", "other"],
};

/** The measured limits of the default policy (`docs/research/policy.md`). An unknown tool may return a document that is used next. */
const MEASURED_FOLD: BirthFold = {
  ...LARGE_FOLD,
  characters: DEFAULT_LIMITS.characters,
  budget: 1_500,
  patient: { kinds: ["other"], characters: LARGE_FOLD.characters },
};

/** What each policy folds before sending: the only part of a policy that a hook needs at every tool call. */
export const POLICY_FOLDS: Readonly<Record<PolicyName, PolicyFolds>> = {
  thrifty: {
    fold: { characters: 4_000, lines: 120, budget: 1_200, kinds: ["run", "search", "fetch", "other", "delegate"] },
    foldAlone: { ...DOCUMENTED_FOLD, patient: { kinds: ["read"], characters: 20_000 } },
  },
  balanced: {
    fold: MEASURED_FOLD,
    foldAlone: { ...DOCUMENTED_FOLD, patient: { kinds: ["read", "delegate"], characters: 20_000 } },
  },
  cautious: {
    fold: { characters: 30_000, lines: Number.POSITIVE_INFINITY, budget: 4_000, kinds: ["run", "search", "other"] },
    foldAlone: LARGE_FOLD,
  },
};
