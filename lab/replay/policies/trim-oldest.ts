import { replaceSpan } from "../../../src/core/propose-edit.ts";
import { splitExchanges } from "../../../src/layers/history/exchanges.ts";
import { COMPACTION_RESERVE_TOKENS } from "../../../src/replay/policies/native.ts";
import { NOTHING_TO_DO, type Policy } from "../../../src/replay/policy.ts";

/** Half of the history goes at once: a little at every request would lose the cache at every request. */
const KEPT_SHARE = 0.5;

/** First in, first out: when the window is full, the oldest exchanges go for good. */
export const trimOldest: Policy = {
  name: "fifo",
  about: "first in, first out: at window - 33k the older half of the history goes for good; the first prompt stays",
  create: () => ({
    plan({ messages, tokens, baseTokens, windowTokens, countTokens }) {
      if (baseTokens + tokens <= windowTokens - COMPACTION_RESERVE_TOKENS) return NOTHING_TO_DO;
      const exchanges = splitExchanges(messages);
      let left = tokens;
      let cut = 1;
      while (cut < exchanges.length - 1 && left > tokens * KEPT_SHARE) {
        const { first, last } = exchanges[cut] ?? { first: 0, last: -1 };
        for (let index = first; index <= last; index++) {
          const message = messages[index];
          if (message) left -= countTokens(message);
        }
        cut++;
      }
      const [from, to] = [exchanges[1]?.first, exchanges[cut - 1]?.last];
      if (from === undefined || to === undefined || cut < 2) return NOTHING_TO_DO;
      const change = { messages: [], by: "fifo", reason: "oldest", handles: [] };
      return { edits: [replaceSpan(messages.slice(from, to + 1), change)] };
    },
  }),
};
