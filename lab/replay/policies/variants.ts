import { createClearStale } from "../../../src/layers/clear-stale.ts";
import { DEFAULT_POLICY } from "../../../src/layers/options/policy-settings.ts";
import { withBackstop } from "../../../src/replay/policies/native.ts";
import { createPlimsollPolicy, lineOf } from "../../../src/replay/policies/plimsoll.ts";
import { NOTHING_TO_DO, type Policy } from "../../../src/replay/policy.ts";

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

/** The default at other moments, with another objective, and single layers. */
export const variants: readonly Policy[] = [
  createPlimsollPolicy("plimsoll:any-moment", "the default without asking the decision table", {
    policy: DEFAULT_POLICY,
    moments: "any",
  }),
  createPlimsollPolicy(
    "plimsoll:at-boundaries",
    "the default only at boundaries of the work, or above half of the line",
    {
      policy: DEFAULT_POLICY,
      moments: "boundaries",
    },
  ),
  createPlimsollPolicy("plimsoll:at-turns", "the default only as a person begins a turn, or above half of the line", {
    policy: DEFAULT_POLICY,
    moments: "turns",
  }),
  createPlimsollPolicy("plimsoll:tokens", "the default with every token counted alike, as a subscription may", {
    policy: DEFAULT_POLICY,
    objective: "tokens",
  }),
  createPlimsollPolicy("only:fold", "the default's folding at birth, and nothing else", {
    policy: DEFAULT_POLICY,
    collapse: false,
  }),
  onlyClear,
  createPlimsollPolicy("only:collapse", "the default's ledger, without folding at birth", {
    policy: DEFAULT_POLICY,
    fold: false,
  }),
];
