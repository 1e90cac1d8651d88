import { createClearStale } from "../../layers/clear-stale.ts";
import { DEFAULT_POLICY, STANDING_TOKENS } from "../../layers/options/policy-settings.ts";
import { createRequestPolicy, type RequestSettings } from "../../policy/request-coming.ts";
import { NOTHING_TO_DO, type Occasion, type Policy } from "../policy.ts";
import { COMPACTION_RESERVE_TOKENS, splitLife, withBackstop } from "./native.ts";

/** A short word with its blank, by the denser tokenizer. */
const TOKENS_PER_FILLER = 1.7;
/** The module tells beside the ledger what is open and what was demanded; a text of the same weight stands for it here. */
const STANDING = "state ".repeat(STANDING_TOKENS / TOKENS_PER_FILLER);

/** The policy as the doors run it, one request after another. */
function createPolicy(name: string, about: string, settings: RequestSettings): Policy {
  return withBackstop({
    name,
    about,
    create({ session }) {
      const collapse = settings.collapse === false ? false : { root: session.root, standing: () => STANDING };
      const plan = createRequestPolicy({ ...settings, vocabulary: session.vocabulary, collapse });
      return {
        plan({ messages, sentMessages, countTokens, ...occasion }) {
          const targetTokens = lineOf(occasion);
          const known = { ...occasion, marks: "client" } as const;
          const { edits, originals, why, isAtBoundary } = plan({
            messages,
            newFrom: sentMessages,
            targetTokens,
            countTokens,
            occasion: known,
          });
          if (edits.length === 0) return NOTHING_TO_DO;
          return { edits, originals: originals(), ...(why === "" ? {} : { collapse: { isAtBoundary } }) };
        },
      };
    },
  });
}

/** A layer that the policy does not use, by itself. */
const onlyClear: Policy = withBackstop({
  name: "only:clear",
  about: "clearing of stale results, and nothing else",
  create({ session }) {
    const layer = createClearStale({ vocabulary: session.vocabulary });
    return {
      plan({ messages, tokens, countTokens, ...occasion }) {
        const edits = layer.plan({ messages, tokens, countTokens, targetTokens: lineOf(occasion) });
        return edits.length === 0 ? NOTHING_TO_DO : { edits, originals: layer.originals(edits, messages) };
      },
    };
  },
});

function lineOf({ windowTokens, baseTokens }: Pick<Occasion, "windowTokens" | "baseTokens">): number {
  return windowTokens - COMPACTION_RESERVE_TOKENS - baseTokens;
}

const standard = createPolicy(
  "plimsoll",
  "the default (balanced): old exchanges become a ledger once carrying them has cost what rewriting costs, or when cold",
  { policy: DEFAULT_POLICY },
);

/** The default first, then the other named settings, then single layers. */
export const plimsollPolicies: readonly Policy[] = [
  standard,
  splitLife(standard),
  createPolicy("plimsoll:thrifty", "folds more at birth and keeps fewer words in the ledger", { policy: "thrifty" }),
  createPolicy("plimsoll:cautious", "waits longer, keeps eight exchanges and most words in sight", {
    policy: "cautious",
  }),
  createPolicy("plimsoll:any-moment", "the default without asking the decision table", {
    policy: DEFAULT_POLICY,
    moments: "any",
  }),
  createPolicy("plimsoll:at-boundaries", "the default only at boundaries of the work, or above half of the line", {
    policy: DEFAULT_POLICY,
    moments: "boundaries",
  }),
  createPolicy("plimsoll:at-turns", "the default only as a person begins a turn, or above half of the line", {
    policy: DEFAULT_POLICY,
    moments: "turns",
  }),
  createPolicy("plimsoll:tokens", "the default with every token counted alike, as a subscription may", {
    policy: DEFAULT_POLICY,
    objective: "tokens",
  }),
  createPolicy("only:fold", "the default's folding at birth, and nothing else", {
    policy: DEFAULT_POLICY,
    collapse: false,
  }),
  onlyClear,
  createPolicy("only:collapse", "the default's ledger, without folding at birth", {
    policy: DEFAULT_POLICY,
    fold: false,
  }),
];
