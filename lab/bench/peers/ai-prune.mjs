// Vercel's AI SDK as installed: https://ai-sdk.dev/docs/reference/ai-sdk-ui/prune-messages
import { pruneMessages } from "ai";
import { createToolNames, splitTurns } from "./split-turns.mjs";

/** The options of the reference page's example. */
const OPTIONS = { reasoning: "before-last-message", toolCalls: "before-last-2-messages", emptyMessages: "remove" };

/**
 * The host keeps everything and prunes a copy for the request, so the whole history goes in each time.
 *
 * @param {(turns: readonly import("./split-turns.mjs").Turn[]) => boolean} isDue
 */
export function createPruning(isDue) {
  const tools = createToolNames();
  const history = [];
  const blockOf = new Map();
  const gone = new Set();
  const render = (block, part) => {
    blockOf.set(part, block.id);
    return part;
  };
  const renderTurn = (turn) => {
    if (turn.role !== "tool") {
      tools.learn(turn.blocks);
      return { role: turn.role, content: turn.blocks.map((block) => render(block, renderPart(block))) };
    }
    const results = turn.results.map((block) => render(block, renderResult(block, tools.of(block.callId))));
    return { role: "tool", content: [...results, ...turn.riders.map((block) => render(block, renderPart(block)))] };
  };
  return {
    plan({ joined }) {
      const turns = splitTurns(joined);
      history.push(...turns.map(renderTurn));
      if (!isDue(turns)) return {};
      const kept = new Set(pruneMessages({ messages: history, ...OPTIONS }).flatMap(({ content }) => content));
      const dropped = [];
      for (const [part, id] of blockOf) {
        if (kept.has(part) || gone.has(part)) continue;
        gone.add(part);
        dropped.push(id);
      }
      return { dropped };
    },
  };
}

function renderPart({ kind, text, callId, tool, input }) {
  if (kind === "toolCall") return { type: "tool-call", toolCallId: callId, toolName: tool, input };
  return { type: kind === "thinking" ? "reasoning" : "text", text };
}

function renderResult({ callId, text, isError }, toolName) {
  return {
    type: "tool-result",
    toolCallId: callId,
    toolName,
    output: { type: isError ? "error-text" : "text", value: text },
  };
}
