import { DEFAULT_BUDGET, DEFAULT_LIMITS } from "../../fold/thresholds.ts";
import type { CollapseRule } from "../ledger/decide-collapse.ts";
import type { LedgerLengths } from "../ledger/describe-call.ts";
import type { TailRule } from "../ledger/weigh-history.ts";
import type { BirthFold } from "./birth-fold.ts";

/** How far a policy goes, as one name that a person can choose. */
export type PolicyName = "thrifty" | "balanced" | "cautious";

/** When old exchanges are collapsed, and what is left of them. */
export interface CollapseSettings extends CollapseRule, Omit<TailRule, "roomTokens">, LedgerLengths {
  readonly thinAfterExchanges: number;
}

export interface PolicySettings extends CollapseSettings {
  /** What is folded at birth where the rest is collapsed once it is old. */
  readonly fold: BirthFold;
  /**
   * And where folding is all that a door can do: what it leaves whole is carried with every request until the client compacts,
   * so it pays much earlier.
   */
  readonly foldAlone: BirthFold;
}

/** Every action that brings a result of any length. */
export const EVERY_KIND: readonly string[] = ["run", "search", "fetch", "other", "delegate", "read", "edit", "write"];

/**
 * The documented limits. Three of ten folded reads are followed by an edit of the same file, which needs its exact text, and what a subagent
 * reports was written for this very reader: each policy says how patient it is with those.
 */
const DOCUMENTED_FOLD: BirthFold = {
  characters: DEFAULT_LIMITS.characters,
  lines: DEFAULT_LIMITS.lines,
  budget: DEFAULT_BUDGET,
  kinds: EVERY_KIND,
};

/** The measured ones of the default policy: nothing that is needed within three exchanges leaves sight (`docs/policy.md`). */
const LARGE_FOLD: BirthFold = {
  characters: 16_000,
  lines: Number.POSITIVE_INFINITY,
  budget: 6_000,
  kinds: ["run", "search", "other"],
};

const SHORT_WORDS: LedgerLengths = {
  wordsCharacters: 160,
  oldWordsCharacters: 160,
  answerCharacters: 320,
  briefCharacters: 320,
};

const TELLING_WORDS: LedgerLengths = {
  wordsCharacters: 400,
  oldWordsCharacters: 320,
  answerCharacters: 800,
  briefCharacters: 800,
};

const MOST_WORDS: LedgerLengths = {
  wordsCharacters: 4_000,
  oldWordsCharacters: 640,
  answerCharacters: 4_000,
  briefCharacters: 2_000,
};

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
    ...SHORT_WORDS,
    thinAfterExchanges: 20,
    fold: { characters: 4_000, lines: 120, budget: 1_200, kinds: ["run", "search", "fetch", "other", "delegate"] },
    foldAlone: { ...DOCUMENTED_FOLD, patient: { kinds: ["read"], characters: 20_000 } },
  },
  balanced: {
    keepExchanges: 3,
    maxTailTokens: 40_000,
    patience: 1,
    leastTokens: 5_000,
    ...TELLING_WORDS,
    thinAfterExchanges: 40,
    fold: LARGE_FOLD,
    foldAlone: { ...DOCUMENTED_FOLD, patient: { kinds: ["read", "delegate"], characters: 20_000 } },
  },
  cautious: {
    keepExchanges: 8,
    maxTailTokens: 60_000,
    patience: 2,
    leastTokens: 10_000,
    ...MOST_WORDS,
    thinAfterExchanges: 120,
    fold: { characters: 30_000, lines: Number.POSITIVE_INFINITY, budget: 4_000, kinds: ["run", "search", "other"] },
    foldAlone: LARGE_FOLD,
  },
};

export const DEFAULT_POLICY: PolicyName = "balanced";

/** What a door says beside the ledger after a collapse: the mean of 30 recorded sessions, with the line that names the transcript. */
export const STANDING_TOKENS = 150;
