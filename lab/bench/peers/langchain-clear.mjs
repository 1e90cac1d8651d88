// LangChain as installed: https://docs.langchain.com/oss/javascript/langchain/middleware/built-in (context editing)
import { ToolMessage } from "@langchain/core/messages";
import { ClearToolUsesEdit } from "langchain";
import { createLangchainMessages } from "./langchain-messages.mjs";

/** What the replay gives a result that says `[cleared]`. */
const CLEARED_TOKENS = 20;

/** The edit changes the agent's own list, so what was cleared is still so at the next request. */
export function create() {
  const { render, tokensOf } = createLangchainMessages();
  const edit = new ClearToolUsesEdit();
  const weights = new WeakMap();
  const weigh = (message) => weights.get(message) ?? CLEARED_TOKENS;
  const countTokens = (list) => {
    let tokens = 0;
    for (const message of list) tokens += weigh(message);
    return tokens;
  };
  const messages = [];
  return {
    async plan({ joined }) {
      for (const message of render(joined)) {
        weights.set(message, tokensOf(message));
        messages.push(message);
      }
      const before = [...messages];
      await edit.apply({ messages, countTokens });
      const standing = new Map(
        messages.filter(ToolMessage.isInstance).map((message) => [message.tool_call_id, message]),
      );
      const cleared = [];
      for (const message of before) {
        if (!ToolMessage.isInstance(message)) continue;
        const now = standing.get(message.tool_call_id);
        if (now && now !== message) cleared.push({ block: message.id, text: now.content });
      }
      return { cleared };
    },
  };
}
