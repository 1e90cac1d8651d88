import { isObject, numberField, objectField, parseJson } from "../core/json.ts";
import type { TokenWeights } from "../core/layer.ts";
import { classifyLimit, type RateLimit } from "./rules/rate-limits.ts";

/** What is to be spent as little of as possible: list prices, or what a subscription may count. */
export type Objective = (typeof OBJECTIVES)[number];
export const OBJECTIVES = ["dollars", "tokens"] as const;

export const DEFAULT_OBJECTIVE: Objective = "dollars";

/** Nobody publishes what a subscription counts: until a person's own readings have told, every token counts the same. */
const ALL_ALIKE: TokenWeights = { read: 1, write: 1, output: 1 };

/** By what the policy weighs; `undefined` where the model's prices decide. */
export function chooseWeights(objective: Objective, learned: TokenWeights | undefined): TokenWeights | undefined {
  return objective === "dollars" ? undefined : (learned ?? ALL_ALIKE);
}

/**
 * What to save while the account is near a limit (70 % used): what that limit counts. Only where the person's own readings have shown what it
 * counts: a compaction writes uncached tokens, and by a guess it could use up what is left.
 */
export function chooseObjective(
  objective: Objective,
  limits: readonly RateLimit[],
  learned: TokenWeights | undefined,
): Objective {
  const isNear = limits.some(({ usedPercent }) => classifyLimit(usedPercent) !== undefined);
  return isNear && learned !== undefined ? "tokens" : objective;
}

/** What was learned of a subscription, as it lies on the disk; `undefined` where it is not sure, or not what we write. */
export function parseWeights(text: string): TokenWeights | undefined {
  const value = parseJson(text);
  if (!isObject(value) || value.isSure !== true) return undefined;
  const weights = objectField(value, "weights") ?? {};
  const [read, write, output] = ["read", "write", "output"].map((name) => numberField(weights, name));
  if (read === undefined || write === undefined || output === undefined) return undefined;
  return read >= 0 && write > 0 && output >= 0 ? { read, write, output } : undefined;
}
