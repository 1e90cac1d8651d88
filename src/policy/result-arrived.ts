import { DEFAULT_BUDGET, LEAST_SAVED_CHARACTERS } from "../fold/thresholds.ts";
import { type BirthFold, isFoldDue } from "../layers/options/birth-fold.ts";
import { EVERY_KIND, POLICY_FOLDS, type PolicyName } from "../layers/options/policy-folds.ts";

/**
 * What a door can do about a result after it has been sent: `collapsing` doors take it out once it is old, `foldOnly` ones
 * never touch it again.
 */
export type Reach = "collapsing" | "foldOnly";

/** The rule by which results are folded at birth. */
export function chooseBirthFold(policy: PolicyName, reach: Reach): BirthFold {
  const { fold, foldAlone } = POLICY_FOLDS[policy];
  return reach === "collapsing" ? fold : foldAlone;
}

/** Where the client is about to give up over a window that refills: no result may take more than this, whatever it is of. */
export function tightenFold(rule: BirthFold, characters: number): BirthFold {
  // Short enough that a fold of the shortest still saves what a fold must.
  const budget = Math.max(DEFAULT_BUDGET, Math.min(rule.budget, characters - LEAST_SAVED_CHARACTERS));
  const { patient: _, ...plain } = rule;
  return { ...plain, characters, budget, kinds: EVERY_KIND };
}

export interface ResultArrived {
  /** The whole of it. */
  readonly text: string;
  /** What its call was, as the host's vocabulary names it. */
  readonly kind: string;
}

export type DueFold = Pick<BirthFold, "budget" | "style">;

/** Whether a result is folded before it is first sent, to how many characters, and how. Errors, pictures and recalled originals never come here. */
export function resultArrived({ text, kind }: ResultArrived, rule: BirthFold): DueFold | undefined {
  const { budget, style } = rule;
  return isFoldDue(text, kind, rule) ? { budget, ...(style ? { style } : {}) } : undefined;
}
