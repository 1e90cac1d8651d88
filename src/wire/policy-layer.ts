import { applyEdits } from "../core/apply-edits.ts";
import type { Edit } from "../core/edit.ts";
import { type Layer, unknownOccasion, type View } from "../core/layer.ts";
import { createFoldOutputs, type FoldOutputsOptions } from "../layers/fold-outputs.ts";
import { DEFAULT_POLICY, POLICY_SETTINGS, type PolicyName } from "../layers/options/policy-settings.ts";
import { createRequestPolicy, FULL_TARGET_TOKENS } from "../policy/request-coming.ts";
import { scaleBirthFold } from "../policy/result-arrived.ts";
import type { CheckedOptions, CompactOptions } from "./compaction-options.ts";
import { listNewest } from "./explain-target.ts";

/** As `foldOutputs`, the cheapest of the five; of two that cost the same the one that is listed first is asked first. */
const CHEAPEST_LAYER = 1;

/**
 * Runs before the five on every request, and after the caller's own layers that are cheaper than these. What was folded before is in
 * the ledger, so everything else counts as never sent. Above the line the oldest exchanges go, only as far as needed; where price does
 * not count, that is all.
 */
export function createPolicyLayer(options: CheckedOptions): Layer {
  const { policy, objective, targetTokens, layers = {} } = options;
  const { vocabulary, sha256, foldOutputs, collapseExchanges } = layers;
  const isOff = policy === "off";
  const name = policyOrDefault(policy);
  const scaled = scalePolicy(name, targetTokens);
  const patience = isOff ? { patience: Number.POSITIVE_INFINITY } : {};
  const rule = { depth: "needed", ...scaled.collapse, ...patience, ...readKept(options) } as const;
  const collapse = collapseExchanges?.eager === false ? false : { ...rule, ...collapseExchanges };
  // What is new stays whole if the caller says so.
  const fold = isOff || options.keepTokens ? false : foldOutputs;
  const choose = createRequestPolicy({ policy: name, objective, vocabulary, sha256, fold, collapse });
  const plan = (view: View): readonly Edit[] => choose({ ...view, newFrom: 0 }).edits;
  // Where old exchanges wait for the line, a long read waits with them.
  const isPlain = fold === false || collapse === false || scaled.fold === undefined;
  const folding = isPlain ? undefined : { ...scaled.fold, ...fold, ...(vocabulary && { vocabulary }), sha256 };
  return { name: "policy", cost: CHEAPEST_LAYER, eager: true, plan: folding ? foldNewest(folding, plan) : plan };
}

export function policyOrDefault(policy: CompactOptions["policy"] = DEFAULT_POLICY): PolicyName {
  return policy === "off" ? DEFAULT_POLICY : policy;
}

export function readKept({ keepTokens }: CompactOptions): { readonly keepTokens?: number } {
  return keepTokens === undefined ? {} : { keepTokens };
}

/**
 * Each break of the prefix costs a rewrite, so the library waits for twice the price of one: the bill is 1 to 5 % larger, and a quarter of
 * the breaks are gone (`docs/research/features.md`). A low line is reached soon anyway, so below it price waits longer.
 */
const PATIENCE = 2;

/** What the policy does on every request, for a line below those that it is tuned for: less stays whole, so that the line is reached less often. */
function scalePolicy(policy: PolicyName, targetTokens: number) {
  const share = Math.min(1, targetTokens / FULL_TARGET_TOKENS);
  const patience = PATIENCE / share;
  if (share === 1) return { collapse: { patience } };
  // At least the last exchange and the one before it.
  const keepExchanges = Math.max(2, Math.ceil(POLICY_SETTINGS[policy].keepExchanges * share));
  return { collapse: { patience, keepExchanges }, fold: scaleBirthFold(policy, targetTokens) };
}

/** In a loop, what has just arrived is folded by a stricter rule first. What the first request held never changes for this. */
function foldNewest(rule: FoldOutputsOptions, plan: Layer["plan"]): Layer["plan"] {
  const folding = createFoldOutputs({ ...rule, atBirth: true });
  return (view) => {
    const { beganWith } = view.occasion ?? unknownOccasion;
    const newest = listNewest(view.messages);
    const isNew = beganWith !== undefined && newest[0]?.id !== beganWith;
    const folds = isNew ? folding.plan({ ...view, messages: newest }) : [];
    return [...folds, ...plan({ ...view, messages: applyEdits(view.messages, folds).messages })];
  };
}
