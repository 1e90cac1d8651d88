import Anthropic from "@anthropic-ai/sdk";
import type { generateText } from "ai";
import { MockLanguageModelV3 } from "ai/test";

type Model = Parameters<typeof generateText>[0]["model"];
type Content = Awaited<ReturnType<MockLanguageModelV3["doGenerate"]>>["content"];
type Prompt = Parameters<MockLanguageModelV3["doGenerate"]>[0]["prompt"];

/**
 * Stands for a provider's model, so that this repository needs no provider package: in your project take, for instance,
 * `anthropic("claude-sonnet-4-6")` of `@ai-sdk/anthropic`.
 */
export function createPlainModel(): Model {
  const client = new Anthropic();
  return new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const system = prompt.flatMap(({ role, content }) => (role === "system" ? [content] : [])).join("\n");
      const messages = prompt.filter(({ role }) => role !== "system").map(toMessage);
      const answer = await client.messages.create({ model: "claude-sonnet-4-6", max_tokens: 1024, system, messages });
      const count = { noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
      return {
        content: answer.content.flatMap((block): Content => {
          if (block.type === "text") return [{ type: "text", text: block.text }];
          if (block.type !== "tool_use") return [];
          const input = JSON.stringify(block.input);
          return [{ type: "tool-call", toolCallId: block.id, toolName: block.name, input }];
        }),
        finishReason: { unified: answer.stop_reason === "tool_use" ? "tool-calls" : "stop", raw: undefined },
        usage: {
          inputTokens: { total: answer.usage.input_tokens, ...count },
          outputTokens: { total: answer.usage.output_tokens, text: undefined, reasoning: undefined },
        },
        warnings: [],
      };
    },
  });
}

function toMessage({ role, content }: Prompt[number]): Anthropic.MessageParam {
  if (typeof content === "string") return { role: "user", content };
  const blocks = content.flatMap((part): Anthropic.ContentBlockParam[] => {
    if (part.type === "text") return [{ type: "text", text: part.text }];
    if (part.type === "tool-call")
      return [{ type: "tool_use", id: part.toolCallId, name: part.toolName, input: part.input }];
    if (part.type !== "tool-result") return [];
    const { output, toolCallId } = part;
    return [{ type: "tool_result", tool_use_id: toolCallId, content: "value" in output ? String(output.value) : "" }];
  });
  return { role: role === "assistant" ? "assistant" : "user", content: blocks };
}
