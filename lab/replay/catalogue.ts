import { clairvoyant } from "../../src/replay/policies/clairvoyant.ts";
import { clearToolUses } from "../../src/replay/policies/clear-results.ts";
import { native, smallerWindows } from "../../src/replay/policies/native.ts";
import { plimsollPolicies } from "../../src/replay/policies/plimsoll.ts";
import type { Policy } from "../../src/replay/policy.ts";
import { clairvoyantRecover } from "./policies/clairvoyant-recover.ts";
import { dedupePurge, geminiMask, maskObservations, opencodePrune } from "./policies/clear-results.ts";
import { none } from "./policies/none.ts";
import { trimOldest } from "./policies/trim-oldest.ts";
import { variants } from "./policies/variants.ts";

/** Reading from the cache costs 5 % and 2.5 % of the input price, where it cost 10 % before. */
const NEWEST_MODELS = ["opus-5-5", "fable-5-1"];

const [standard, ...settings] = plimsollPolicies;

/** Every policy there is: the product's, and those that they are compared with. */
export const LAB_POLICIES: readonly Policy[] = [
  none,
  native,
  splitLife(native),
  ...smallerWindows,
  trimOldest,
  clearToolUses,
  maskObservations,
  opencodePrune,
  geminiMask,
  dedupePurge,
  ...(standard ? [standard, splitLife(standard)] : []),
  ...NEWEST_MODELS.flatMap((model) =>
    [native, ...(standard ? [standard] : [])].map((policy) => priceAs(policy, model)),
  ),
  ...settings,
  ...variants,
  clairvoyant,
  clairvoyantRecover,
];

/** The same policy with every request at another model's prices. */
function priceAs(policy: Policy, model: string): Policy {
  return {
    ...policy,
    name: `${policy.name}+${model}`,
    about: `${policy.name} with every request at the prices of ${model}, and decided by them`,
    pricedAs: `claude-${model}`,
  };
}

/** The same policy where the conversation is cached for five minutes, and what stands in front of it for an hour. */
export function splitLife<Row extends Pick<Policy, "name" | "about" | "life">>(policy: Row): Row {
  return {
    ...policy,
    name: `${policy.name}+split`,
    about: `${policy.name} with the conversation cached for five minutes, system prompt and tools for an hour where that is worth it`,
    life: "split",
  };
}
