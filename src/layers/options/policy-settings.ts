import type { CollapseRule } from "../ledger/decide-collapse.ts";
import type { TailRule } from "../ledger/weigh-history.ts";

/** How far a policy goes, as one name that a person can choose. */
export type PolicyName = "thrifty" | "balanced" | "cautious";

export interface PolicySettings extends CollapseRule, TailRule {
  /** So much of the model's own words stays in sight in the ledger. */
  readonly wordsCharacters: number;
  readonly thinAfterExchanges: number;
  /** Which results are folded before they are first sent. */
  readonly fold: BirthFold;
}

/** What is folded at birth is out of sight while it is still hot, so only what the model rarely goes on from. */
export interface BirthFold {
  /** Longer results are folded. */
  readonly characters: number;
  readonly lines: number;
  /** Characters that stand in the place of one. */
  readonly budget: number;
  /** Results of which actions, as the host's vocabulary names them. */
  readonly kinds: readonly string[];
}

/** Where room is short, whatever a call was for. */
export const EVERY_KIND: readonly string[] = ["run", "search", "fetch", "other", "delegate", "read", "edit", "write"];

/**
 * Three places on the frontier of price against what is at hand (`docs/policy.md` has the measurements). All of them keep whatever
 * leaves the view behind a handle, and the person's words in sight.
 */
export const POLICY_SETTINGS: Readonly<Record<PolicyName, PolicySettings>> = {
  thrifty: {
    keepExchanges: 3,
    maxTailTokens: 40_000,
    patience: 1,
    leastTokens: 3_000,
    leastColdTokens: 3_000,
    wordsCharacters: 160,
    thinAfterExchanges: 20,
    fold: { characters: 4_000, lines: 120, budget: 1_200, kinds: ["run", "search", "fetch", "other", "delegate"] },
  },
  balanced: {
    keepExchanges: 3,
    maxTailTokens: 40_000,
    patience: 1,
    leastTokens: 5_000,
    leastColdTokens: 5_000,
    wordsCharacters: 400,
    thinAfterExchanges: 40,
    fold: { characters: 16_000, lines: Number.POSITIVE_INFINITY, budget: 6_000, kinds: ["run", "search", "other"] },
  },
  cautious: {
    keepExchanges: 8,
    maxTailTokens: 60_000,
    patience: 2,
    leastTokens: 10_000,
    leastColdTokens: 10_000,
    wordsCharacters: 4_000,
    thinAfterExchanges: 120,
    fold: { characters: 30_000, lines: Number.POSITIVE_INFINITY, budget: 4_000, kinds: ["run", "search", "other"] },
  },
};

export const DEFAULT_POLICY: PolicyName = "balanced";

/** What a door may say beside the ledger after a collapse. */
export const STANDING_TOKENS = 600;
