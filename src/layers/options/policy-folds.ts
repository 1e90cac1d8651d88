import { DEFAULT_BUDGET, DEFAULT_LIMITS } from "../../fold/thresholds.ts";
import type { BirthFold } from "./birth-fold.ts";

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
