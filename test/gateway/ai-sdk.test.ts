/** If red: an agent on the AI SDK behind the gateway cannot have a folded result back. */
import Anthropic from "@anthropic-ai/sdk";
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { expect, it } from "vitest";
import type { ApiRequest } from "../api/api-request.ts";
import { answer, call, think } from "../api/replies.ts";
import type { Reply } from "../api/scenario.ts";
import { createScriptedApi } from "../api/scripted-api.ts";
import { validateRequest } from "../api/validate-request.ts";
import { lines } from "./conversation.ts";
import { atEnd, openGateway } from "./open-gateway.ts";

type Generate = MockLanguageModelV3["doGenerate"];
type Content = Awaited<ReturnType<Generate>>["content"];
type Part = Parameters<Generate>[0]["prompt"][number];

const WANTED = "round 3: 177:";
const TOOLS: Anthropic.Tool[] = [{ name: "survey", input_schema: { type: "object" } }];

/** A provider's model in a few lines: words and calls there and back, and no thinking, as a provider has it that is not told to send it. */
function createModel(baseURL: string): MockLanguageModelV3 {
  const client = new Anthropic({ apiKey: "made-up", baseURL, maxRetries: 0 });
  return new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const messages = prompt.map(toMessage);
      const request = { model: "claude-sonnet-4-6", max_tokens: 1024, tools: TOOLS, messages };
      const { content, stop_reason, usage } = await client.messages.create(request);
      const unknown = { noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
      return {
        content: content.flatMap((block): Content => {
          if (block.type === "text") return [{ type: "text", text: block.text }];
          if (block.type !== "tool_use") return [];
          return [
            { type: "tool-call", toolCallId: block.id, toolName: block.name, input: JSON.stringify(block.input) },
          ];
        }),
        finishReason: { unified: stop_reason === "tool_use" ? "tool-calls" : "stop", raw: undefined },
        usage: {
          inputTokens: { total: usage.input_tokens, ...unknown },
          outputTokens: { total: usage.output_tokens, text: undefined, reasoning: undefined },
        },
        warnings: [],
      };
    },
  });
}

function toMessage({ role, content }: Part): Anthropic.MessageParam {
  if (typeof content === "string") return { role: "user", content };
  const blocks = content.flatMap((part): Anthropic.ContentBlockParam[] => {
    if (part.type === "text") return [{ type: "text", text: part.text }];
    if (part.type === "tool-call")
      return [{ type: "tool_use", id: part.toolCallId, name: part.toolName, input: part.input }];
    if (part.type !== "tool-result") return [];
    const text = "value" in part.output ? String(part.output.value) : "";
    return [{ type: "tool_result", tool_use_id: part.toolCallId, content: text }];
  });
  return { role: role === "assistant" ? "assistant" : "user", content: blocks };
}

/** Fetches back what the third survey said, then surveys once more, then says what it has seen. */
function surveyor({ body }: ApiRequest, index: number): Reply {
  const said = JSON.stringify(body.messages);
  if (index < 4) return answer(think(`Step ${index}.`), `Step ${index}.`, call("survey", { deck: index }));
  if (!said.includes("toolu_back")) {
    const handle = (said.match(/plimsoll:[0-9a-f]{12}/g) ?? []).at(-1) ?? "";
    return answer(think("Back."), "Back.", call("plimsoll_recall", { handle, pattern: WANTED }, "toolu_back"));
  }
  if (!said.includes("Once more.")) return answer(think("More."), "Once more.", call("survey", { deck: 9 }));
  return answer(said.includes(WANTED) ? "Seen." : "Not seen.");
}

it("the AI SDK's loop has what was folded fetched back, and its later steps hold it in the same bytes", async () => {
  const api = await createScriptedApi({ main: surveyor });
  atEnd(() => api.close());
  const gateway = await openGateway(api.url);
  let round = 0;
  const { text, steps } = await generateText({
    model: createModel(gateway.url),
    prompt: "Survey the hull.",
    stopWhen: stepCountIs(10),
    tools: {
      survey: tool({
        inputSchema: jsonSchema<object>({ type: "object" }),
        execute: async () => {
          const now = round++;
          return lines(300)
            .split("\n")
            .map((line) => `round ${now}: ${line}`)
            .join("\n");
        },
      }),
    },
  });
  expect(text).toBe("Seen.");
  expect(steps.flatMap(({ toolCalls }) => toolCalls.map(({ toolName }) => toolName))).toEqual(Array(5).fill("survey"));
  expect(gateway.totals()).toMatchObject({ recalls: 1, incidents: 0 });
  expect(api.requests.flatMap(({ body }) => validateRequest(body))).toEqual([]);
  // Thinking is not sent back; all else that was sent stands in the next request.
  const sent = api.requests.map(({ body }) =>
    JSON.stringify(body.messages)
      .replaceAll(/\{"type":"thinking"[^}]*\},/g, "")
      .slice(0, -1),
  );
  expect(sent.at(-1)?.startsWith(sent.at(-2) ?? "?")).toBe(true);
});
