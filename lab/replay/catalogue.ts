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
  ...settings,
  ...variants,
  clairvoyant,
  clairvoyantRecover,
];

/** The same policy where the conversation is cached for five minutes, and what stands in front of it for an hour. */
function splitLife(policy: Policy): Policy {
  return {
    ...policy,
    name: `${policy.name}+split`,
    about: `${policy.name} with the conversation cached for five minutes, system prompt and tools for an hour where that is worth it`,
    life: "split",
  };
}
