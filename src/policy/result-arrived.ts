import { DEFAULT_BUDGET, LEAST_SAVED_CHARACTERS } from "../fold/thresholds.ts";
import {
  type BirthFold,
  EVERY_KIND,
  isFoldDue,
  POLICY_FOLDS,
  type PolicyName,
} from "../layers/options/policy-folds.ts";

/** By what an entry point can do about a result after it was sent: `collapsing` ones remove it once it is old, `foldOnly` ones never touch it again. */
export function chooseBirthFold(policy: PolicyName, reach: "collapsing" | "foldOnly"): BirthFold {
  const { fold, foldAlone } = POLICY_FOLDS[policy];
  return reach === "collapsing" ? fold : foldAlone;
}

/** A result takes at most a tenth of a character for each token of a low line; a shorter one than the policy folds stays whole. */
const CHARACTERS_PER_TOKEN = 0.1;

/** A long result fills a low line, whatever was read or asked: below the lines that the policies are tuned for, every kind is folded. */
export function scaleBirthFold(policy: PolicyName, lineTokens: number): BirthFold {
  const rule = chooseBirthFold(policy, "collapsing");
  const most = Math.max(rule.characters, lineTokens * CHARACTERS_PER_TOKEN);
  const kinds = EVERY_KIND.filter((kind) => !rule.kinds.includes(kind) || rule.patient?.kinds.includes(kind));
  return {
    ...rule,
    kinds: EVERY_KIND,
    patient: { kinds, characters: Math.min(most, rule.patient?.characters ?? most) },
  };
}

/** For a client that is about to give up because its window keeps refilling: no result may be longer than this, whatever its kind. */
export function tightenFold(rule: BirthFold, characters: number): BirthFold {
  // Short enough that folding even the shortest result saves the minimum.
  const budget = Math.max(DEFAULT_BUDGET, Math.min(rule.budget, characters - LEAST_SAVED_CHARACTERS));
  const { patient: _, ...plain } = rule;
  return { ...plain, characters, budget, kinds: EVERY_KIND };
}

/** Whether to fold a result before it is first sent, to how many characters, and how. Errors, pictures and recalled originals are never passed in. */
export function resultArrived(
  { text, kind }: { readonly text: string; readonly kind: string },
  rule: BirthFold,
): Pick<BirthFold, "budget" | "style"> | undefined {
  const { budget, style } = rule;
  return isFoldDue(text, kind, rule) ? { budget, ...(style ? { style } : {}) } : undefined;
}
