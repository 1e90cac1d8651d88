import { clairvoyant } from "./policies/clairvoyant.ts";
import { clearToolUses } from "./policies/clear-results.ts";
import { native, smallerWindows } from "./policies/native.ts";
import { plimsollPolicies } from "./policies/plimsoll.ts";
import type { Policy } from "./policy.ts";
import { SET_CACHE_LIVES, type SetCacheLife } from "./prompt-cache.ts";

export const CACHE_LIFE_WORDS: Readonly<Record<SetCacheLife, string>> = {
  "5m": "five minutes",
  "1h": "one hour",
  "1h+5m": "one hour for system prompt and tools with five minutes for the conversation",
};

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

/** Plimsoll as it is installed. */
export const DEFAULT_REPLAY_POLICY = "plimsoll";

function setLives(policy: Policy): readonly Policy[] {
  return SET_CACHE_LIVES.map((life) => ({
    ...policy,
    life,
    name: nameWithLife(policy.name, life),
    about: `${policy.name} with a cache life of ${CACHE_LIFE_WORDS[life]}`,
  }));
}

/** The name of the policy's row with a cache lifetime set by the person. */
export function nameWithLife(policy: string, life: SetCacheLife): string {
  return `${policy}@${life}`;
}

/** All others are shown relative to it. */
export const REFERENCE = "native";
