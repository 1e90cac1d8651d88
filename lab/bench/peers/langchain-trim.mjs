// LangChain core as installed: https://docs.langchain.com/oss/javascript/langchain/short-term-memory (trim messages)
import { trimMessages } from "@langchain/core/messages";
import { createLangchainMessages } from "./langchain-messages.mjs";

/** What is left free for the answer: the same as native compaction leaves. */
const RESERVE_TOKENS = 33_000;

/** The agent goes on from the trimmed list. */
export function create({ windowTokens, baseTokens }) {
  const { render, blocksOf, tokensOf } = createLangchainMessages();
  const maxTokens = windowTokens - RESERVE_TOKENS - baseTokens;
  const tokenCounter = (list) => list.reduce((tokens, message) => tokens + tokensOf(message), 0);
  let messages = [];
  return {
    async plan({ joined }) {
      messages.push(...render(joined));
      // Below its limit it gives everything back, one copy of each message at a time: the same, and a minute longer.
      if (tokenCounter(messages) <= maxTokens) return {};
      const trimmed = await trimMessages(messages, {
        maxTokens,
        tokenCounter,
        strategy: "last",
        startOn: "human",
        endOn: ["human", "tool"],
        includeSystem: true,
        allowPartial: false,
      });
      const kept = new Set(trimmed.map(({ id }) => id));
      // No prompt within the limit: it gives nothing back, and an agent cannot send that.
      if (kept.size === 0) return {};
      const dropped = messages.filter(({ id }) => !kept.has(id)).flatMap(blocksOf);
      messages = messages.filter(({ id }) => kept.has(id));
      return { dropped };
    },
  };
}
