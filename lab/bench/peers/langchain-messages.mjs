import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { createToolNames, splitTurns } from "./split-turns.mjs";

/** LangChain's messages by their ids, and for each the blocks it was made of and what they weigh. */
export function createLangchainMessages() {
  const tools = createToolNames();
  const made = new Map();
  const remember = (message, blocks) => {
    made.set(message.id, {
      blocks: blocks.map(({ id }) => id),
      tokens: blocks.reduce((sum, { tokens }) => sum + tokens, 0),
    });
    return message;
  };
  const renderTurn = (turn) => {
    if (turn.role === "tool") {
      return turn.results.map((result, index) =>
        remember(
          new ToolMessage({
            id: result.id,
            tool_call_id: result.callId,
            name: tools.of(result.callId),
            content: result.text,
          }),
          index === turn.results.length - 1 ? [result, ...turn.riders] : [result],
        ),
      );
    }
    tools.learn(turn.blocks);
    const id = turn.blocks[0].id;
    const content = turn.blocks.flatMap(({ kind, text }) => (kind === "text" ? [text] : [])).join("\n");
    if (turn.role === "user") return [remember(new HumanMessage({ id, content }), turn.blocks)];
    const calls = turn.blocks.filter(({ kind }) => kind === "toolCall");
    const tool_calls = calls.map(({ callId, tool, input }) => ({
      type: "tool_call",
      id: callId,
      name: tool,
      args: input,
    }));
    return [remember(new AIMessage({ id, content, tool_calls }), turn.blocks)];
  };
  return {
    render: (joined) => splitTurns(joined).flatMap(renderTurn),
    blocksOf: ({ id }) => made.get(id)?.blocks ?? [],
    tokensOf: ({ id }) => made.get(id)?.tokens,
  };
}
