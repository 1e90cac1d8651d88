/** What a person can set: five minutes, an hour, or an hour for system prompt and tools and five minutes for the conversation. */
export const SET_CACHE_LIVES = ["5m", "1h", "1h+5m"] as const;
export type SetCacheLife = (typeof SET_CACHE_LIVES)[number];

export const CACHE_LIFE_WORDS: Readonly<Record<SetCacheLife, string>> = {
  "5m": "five minutes",
  "1h": "one hour",
  "1h+5m": "one hour for system prompt and tools with five minutes for the conversation",
};

/** The only one that `plimsoll install` proposes by itself: what lasts an hour is small, and the rest costs no more than before. */
export const PROPOSED_CACHE_LIFE: SetCacheLife = "1h+5m";

/** All others are shown relative to it. */
export const REFERENCE = "native";

export const DEFAULT_REPLAY_POLICY = "plimsoll";

/** The name of the policy's row with a cache lifetime set by the person. */
export function nameWithLife(policy: string, life: SetCacheLife): string {
  return `${policy}@${life}`;
}

/** What answers what installing Plimsoll saves: the client alone, Plimsoll, and Plimsoll with the cache life that `install` proposes. */
export const ANSWERING_POLICIES: readonly string[] = [
  REFERENCE,
  DEFAULT_REPLAY_POLICY,
  nameWithLife(DEFAULT_REPLAY_POLICY, PROPOSED_CACHE_LIFE),
];
