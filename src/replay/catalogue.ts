import { clairvoyant } from "./policies/clairvoyant.ts";
import { clearToolUses } from "./policies/clear-results.ts";
import { native, smallerWindows } from "./policies/native.ts";
import { plimsollPolicies } from "./policies/plimsoll.ts";
import type { Policy } from "./policy.ts";
import { CACHE_LIFE_WORDS, nameWithLife, SET_CACHE_LIVES } from "./policy-names.ts";

/**
 * What a person can choose between: the client, the client with a smaller window, the API's own clearing, Plimsoll and its settings; and
 * the theoretical limit. Rivals, variants and entry points are rows of the lab (`lab/replay/catalogue.ts`).
 */
export const POLICIES: readonly Policy[] = [
  native,
  ...smallerWindows,
  clearToolUses,
  ...plimsollPolicies,
  ...plimsollPolicies.slice(0, 1).flatMap(setLives),
  clairvoyant,
];

function setLives(policy: Policy): readonly Policy[] {
  return SET_CACHE_LIVES.map((life) => ({
    ...policy,
    life,
    lifeOf: policy.name,
    name: nameWithLife(policy.name, life),
    about: `${policy.name} with a cache life of ${CACHE_LIFE_WORDS[life]}`,
  }));
}
