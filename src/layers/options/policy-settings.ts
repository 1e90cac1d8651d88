import type { CollapseRule } from "../ledger/decide-collapse.ts";
import type { LedgerLengths } from "../ledger/describe-call.ts";
import type { TailRule } from "../ledger/weigh-history.ts";
import type { PolicyName } from "./policy-folds.ts";

export type { PolicyName } from "./policy-folds.ts";

export interface CollapseSettings
  extends CollapseRule,
    Omit<TailRule, "roomTokens" | "recalledExchanges">,
    LedgerLengths {
  /** Segments lose their lines of mere lookups once this many exchanges follow them; after twice as many, half of the rest. */
  readonly thinAfterExchanges: number;
  /** Upper limit of the ledger, whatever was pasted or read: above it segments become briefer than their age requires, the newest last. */
  readonly maxLedgerTokens: number;
}

const SHORT_WORDS: LedgerLengths = {
  wordsCharacters: 160,
  oldWordsCharacters: 160,
  answerCharacters: 320,
  briefCharacters: 320,
  planCharacters: 1_600,
};

const INFORMATIVE_WORDS: LedgerLengths = {
  wordsCharacters: 400,
  oldWordsCharacters: 400,
  answerCharacters: 3_000,
  briefCharacters: 2_000,
  planCharacters: 8_000,
};

const MOST_WORDS: LedgerLengths = {
  wordsCharacters: 4_000,
  oldWordsCharacters: 640,
  answerCharacters: 6_000,
  briefCharacters: 3_000,
  planCharacters: 12_000,
};

const SHORT = { keepExchanges: 3, maxTailTokens: 40_000, patience: 1, maxLedgerTokens: 12_000 } as const;

/** Three points on the curve of cost against context (`docs/research/policy.md`). All keep a handle to whatever leaves, and the person's words in view. */
export const POLICY_SETTINGS: Readonly<Record<PolicyName, CollapseSettings>> = {
  thrifty: { ...SHORT, leastTokens: 3_000, ...SHORT_WORDS, thinAfterExchanges: 20 },
  balanced: { ...SHORT, leastTokens: 5_000, ...INFORMATIVE_WORDS, thinAfterExchanges: 40 },
  cautious: {
    keepExchanges: 8,
    maxTailTokens: 60_000,
    patience: 2,
    leastTokens: 10_000,
    ...MOST_WORDS,
    thinAfterExchanges: 120,
    maxLedgerTokens: 24_000,
  },
};

/** A smaller ledger has no room for what was done. */
export const LEAST_LEDGER_TOKENS = 2_000;

export const DEFAULT_POLICY: PolicyName = "balanced";

/** Text that an entry point adds next to the ledger: about 115 on average over 30 recorded sessions, plus the line that names the transcript. */
export const STANDING_TOKENS = 150;

/** The numbers that were given, and the defaults for the rest. Each is at least 0, or what `least` says. */
export function parseNumbers<Name extends string>(
  defaults: Readonly<Record<Name, number>>,
  given: Readonly<Partial<Record<NoInfer<Name>, number>>>,
  { least, fix }: { readonly least: Readonly<Partial<Record<NoInfer<Name>, number>>>; readonly fix: string },
): Readonly<Record<Name, number>> {
  const numbers: Record<Name, number> = { ...defaults };
  for (const name in numbers)
    numbers[name] = requireNumber(name, given[name] ?? defaults[name], { least: least[name] ?? 0, fix });
  return numbers;
}

/** Throws a `TypeError` with the name and what to pass instead if the value is invalid. Infinity is valid: it switches a limit off. */
export function requireNumber(
  name: string,
  value: number,
  { least, fix }: { readonly least: number; readonly fix: string },
): number {
  if (typeof value === "number" && value >= least) return value;
  throw new TypeError(`${name} must be a number of at least ${least}, not ${String(value)}: ${fix}`);
}
