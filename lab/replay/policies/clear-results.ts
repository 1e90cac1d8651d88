import type { ToolCallBlock } from "../../../src/core/message.ts";
import { createClearing, type PairedResult } from "../../../src/replay/policies/clear-results.ts";
import type { Policy } from "../../../src/replay/policy.ts";

const MASK_KEEP = 10;

export const maskObservations: Policy = createClearing(
  "mask_10",
  "observation masking: all results but the last 10 are cleared at every request",
  (results) => results.slice(0, -MASK_KEEP),
);

/** Newest first: so many tokens are protected, and what lies behind goes if there is enough of it. */
function pruneBehind(
  results: readonly PairedResult[],
  limits: { readonly protectTokens: number; readonly minimumTokens: number },
): readonly PairedResult[] {
  let seen = 0;
  const behind: PairedResult[] = [];
  for (const result of [...results].reverse()) {
    if (result.isCleared) break;
    seen += result.tokens;
    if (seen > limits.protectTokens) behind.push(result);
  }
  const total = behind.reduce((sum, { tokens }) => sum + tokens, 0);
  return total > limits.minimumTokens ? behind : [];
}

const OPENCODE = { protectTokens: 40_000, minimumTokens: 20_000 };

export const opencodePrune: Policy = createClearing(
  "opencode_prune",
  "opencode's prune: the last 40,000 tokens of results are protected; what is older goes once it is 20,000",
  (results) => pruneBehind(results, OPENCODE),
);

const GEMINI = { protectTokens: 50_000, minimumTokens: 30_000 };

export const geminiMask: Policy = createClearing(
  "gemini_mask",
  "Gemini CLI's masking: the last 50,000 tokens of results are protected; what is older goes once it is 30,000",
  (results) => pruneBehind(results, GEMINI),
);

const PURGE_AFTER_RESULTS = 4;

/** Repeated calls keep their newest result; failed ones lose theirs after a few more results. */
export const dedupePurge: Policy = createClearing(
  "dedupe_purge",
  "dedupe and purge errors, as DCP does: of equal calls the newest result stays; a failed call's goes after 4 more results",
  (results) => {
    const newest = new Map<string, number>();
    for (const [index, { call }] of results.entries()) if (call) newest.set(nameCall(call), index);
    return results.filter(({ call, result }, index) => {
      const isRepeated = call !== undefined && newest.get(nameCall(call)) !== index;
      return isRepeated || (result.isError && results.length - index > PURGE_AFTER_RESULTS);
    });
  },
);

function nameCall(call: ToolCallBlock): string {
  return `${call.tool} ${JSON.stringify(call.input)}`;
}
