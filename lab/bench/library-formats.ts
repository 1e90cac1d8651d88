import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { ModelMessage } from "ai";
import { type Message, renderResultText } from "../../src/core/message.ts";
import { renderBlock } from "../../src/wire/anthropic/messages.ts";

/** A recorded message as each library would have it. */
export function renderAnthropic({ role, blocks }: Message): { role: string; content: object[] } {
  return { role, content: blocks.map((block) => renderBlock(block, {})) };
}

function splitBlocks({ blocks }: Message) {
  return {
    words: blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("\n"),
    calls: blocks.filter((block) => block.kind === "toolCall"),
    results: blocks.filter((block) => block.kind === "toolResult"),
  };
}

export function renderAiSdk(message: Message): ModelMessage[] {
  const { words, calls, results } = splitBlocks(message);
  if (message.role === "assistant") {
    const content = calls.map(({ callId, tool, input }) => ({
      type: "tool-call" as const,
      toolCallId: callId,
      toolName: tool,
      input,
    }));
    return [
      { role: "assistant", content: [...(words === "" ? [] : [{ type: "text" as const, text: words }]), ...content] },
    ];
  }
  const content = results.map((result) => ({
    type: "tool-result" as const,
    toolCallId: result.callId,
    toolName: "tool",
    output: { type: "text" as const, value: renderResultText(result) },
  }));
  return [
    ...(content.length === 0 ? [] : [{ role: "tool" as const, content }]),
    ...(words === "" ? [] : [{ role: "user" as const, content: words }]),
  ];
}

export function renderLangchain(message: Message): BaseMessage[] {
  const { words, calls, results } = splitBlocks(message);
  const { id } = message;
  if (message.role === "assistant") {
    const tool_calls = calls.map(({ callId, tool, input }) => ({
      type: "tool_call" as const,
      id: callId,
      name: tool,
      args: input,
    }));
    return [new AIMessage({ id, content: words, tool_calls })];
  }
  const tools = results.map(
    (result) => new ToolMessage({ tool_call_id: result.callId, content: renderResultText(result) }),
  );
  return [...tools, ...(words === "" ? [] : [new HumanMessage({ id, content: words })])];
}
