import { isObject, numberField, objectField, parseJson } from "../core/json.ts";
import type { TokenWeights } from "../core/layer.ts";
import type { ReportedLimit } from "../measure/describe-limits.ts";
import { classifyLimit } from "./rules/rate-limits.ts";

/** What to minimise: dollars at list prices, or what a subscription counts. */
export type Objective = (typeof OBJECTIVES)[number];
export const OBJECTIVES = ["dollars", "tokens"] as const;

export const DEFAULT_OBJECTIVE: Objective = "dollars";

/** What a subscription counts is not published. Until the user's own readings show it, every token counts the same. */
const ALL_ALIKE: TokenWeights = { read: 1, write: 1, output: 1 };

/** The weights the policy uses; `undefined` if the model's prices decide. */
export function chooseWeights(objective: Objective, learned: TokenWeights | undefined): TokenWeights | undefined {
  return objective === "dollars" ? undefined : (learned ?? ALL_ALIKE);
}

/**
 * Near an account limit (70 % used) the objective is what that limit counts, but only if the user's own readings have shown what it
 * counts. A compaction writes uncached tokens, so a wrong guess could use up what is left.
 */
export function chooseObjective(
  objective: Objective,
  limits: readonly ReportedLimit[],
  learned: TokenWeights | undefined,
): Objective {
  const isNear = limits.some(({ usedPercent }) => classifyLimit(usedPercent) !== undefined);
  return isNear && learned !== undefined ? "tokens" : objective;
}

/** Parses the learned weights file; `undefined` if the weights are not certain or the format is not ours. */
export function parseWeights(text: string): TokenWeights | undefined {
  const value = parseJson(text);
  if (!isObject(value) || value.isSure !== true) return undefined;
  const weights = objectField(value, "weights") ?? {};
  const [read, write, output] = ["read", "write", "output"].map((name) => numberField(weights, name));
  if (read === undefined || write === undefined || output === undefined) return undefined;
  return read >= 0 && write > 0 && output >= 0 ? { read, write, output } : undefined;
}
