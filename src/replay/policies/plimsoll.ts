import { computeOnce } from "../../core/message.ts";
import { DEFAULT_POLICY, STANDING_TOKENS } from "../../layers/options/policy-settings.ts";
import { createRequestPolicy, type RequestSettings } from "../../policy/request-coming.ts";
import { NOTHING_TO_DO, type Policy, type StepView } from "../policy.ts";
import type { ReplaySession } from "../session.ts";
import { COMPACTION_RESERVE_TOKENS, withBackstop } from "./native.ts";

/** A short word with its blank, by the denser tokenizer. */
const TOKENS_PER_FILLER = 1.7;
/** The module adds the open work and the person's demands next to the ledger; a text of the same size stands in for it here. */
const STANDING = "state ".repeat(STANDING_TOKENS / TOKENS_PER_FILLER);

export function createPlimsollPolicy(name: string, about: string, settings: RequestSettings): Policy {
  // The same for every cache life, so that what was rendered under one is not rendered again under the next.
  const planOf = computeOnce(({ root, vocabulary }: ReplaySession) => {
    const collapse = settings.collapse === false ? false : { root, standing: () => STANDING };
    return createRequestPolicy({ ...settings, vocabulary, collapse });
  });
  return withBackstop({
    name,
    about,
    create({ session }) {
      const plan = planOf(session);
      return {
        plan({ messages, sentMessages, countTokens, ...occasion }) {
          const targetTokens = lineOf(occasion);
          const known = { ...occasion, marks: "client" } as const;
          const planned = plan({ messages, newFrom: sentMessages, targetTokens, countTokens, occasion: known });
          const { messages: view, edits, originals, why, isAtBoundary } = planned;
          if (edits.length === 0) return NOTHING_TO_DO;
          return { edits, view, originals: originals(), ...(why === "" ? {} : { collapse: { isAtBoundary } }) };
        },
      };
    },
  });
}

export function lineOf({ windowTokens, baseTokens }: Pick<StepView, "windowTokens" | "baseTokens">): number {
  return windowTokens - COMPACTION_RESERVE_TOKENS - baseTokens;
}

export const plimsollPolicies: readonly Policy[] = [
  createPlimsollPolicy(
    "plimsoll",
    "the default (balanced): old exchanges become a ledger once keeping them has cost as much as rewriting would, or when the cache is cold",
    { policy: DEFAULT_POLICY },
  ),
  createPlimsollPolicy("plimsoll:thrifty", "folds more new outputs and keeps fewer words in the ledger", {
    policy: "thrifty",
  }),
  createPlimsollPolicy("plimsoll:cautious", "waits longer, and keeps eight exchanges and most words in the window", {
    policy: "cautious",
  }),
];
