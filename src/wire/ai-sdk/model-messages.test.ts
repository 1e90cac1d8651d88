/** If red: an agent on the AI SDK gets messages that it refuses, or loses its cached prefix. */
import { generateText, jsonSchema, type ModelMessage, modelMessageSchema, stepCountIs, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdits } from "../../core/apply-edits.ts";
import type { Block } from "../../core/message.ts";
import { replaceBlock } from "../../core/propose-edit.ts";
import { compact } from "../compactor.ts";
import { parseConversation } from "../conversation.ts";
import { createPrepareStep } from "./adapter.ts";
import { aiSdkFormat } from "./model-messages.ts";

const parseModelMessages = (messages: ModelMessage[]) => parseConversation(messages, aiSdkFormat);

/** So many steps, each with an output of 300 lines. */
function history(steps: number): ModelMessage[] {
  const work = Array.from({ length: steps }, (_, index): ModelMessage[] => {
    const toolCallId = `call_${index}`;
    const output = { type: "text" as const, value: `output ${index} of a run\n`.repeat(300) };
    return [
      { role: "assistant", content: [{ type: "tool-call", toolCallId, toolName: "run", input: { index } }] },
      { role: "tool", content: [{ type: "tool-result", toolCallId, toolName: "run", output }] },
    ];
  });
  return [{ role: "user", content: "run it all" }, ...work.flat()];
}

/** One of everything that the format knows, and something that it does not. */
const everything: ModelMessage[] = [
  { role: "system", content: "be brief", providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } },
  {
    role: "user",
    content: [
      { type: "text", text: "look", providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } },
      { type: "image", image: "aGk=", mediaType: "image/png" },
      { type: "image", image: new Uint8Array([1, 2, 3]) },
      { type: "image", image: new URL("https://example.com/a.png") },
      { type: "file", data: "aGk=", mediaType: "application/pdf" },
      { type: "file", data: "aGk=", mediaType: "image/png" },
    ],
  },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "hm", providerOptions: { anthropic: { signature: "s" } } },
      { type: "text", text: "on it" },
      { type: "tool-call", toolCallId: "a", toolName: "run", input: { n: 1 } },
      { type: "tool-call", toolCallId: "b", toolName: "run", input: "not an object" },
      { type: "tool-call", toolCallId: "c", toolName: "search", input: {}, providerExecuted: true },
      { type: "tool-result", toolCallId: "c", toolName: "search", output: { type: "json", value: [1] } },
      { type: "tool-approval-request", approvalId: "p", toolCallId: "a" },
    ],
  },
  {
    role: "tool",
    content: [
      { type: "tool-result", toolCallId: "a", toolName: "run", output: { type: "json", value: { rows: [1, 2] } } },
      { type: "tool-result", toolCallId: "b", toolName: "run", output: { type: "error-text", value: "no" } },
      { type: "tool-result", toolCallId: "d", toolName: "run", output: { type: "execution-denied", reason: "no" } },
      {
        type: "tool-result",
        toolCallId: "e",
        toolName: "run",
        output: {
          type: "content",
          value: [
            { type: "text", text: "t" },
            { type: "image-data", data: "aGk=", mediaType: "image/png" },
          ],
        },
      },
      {
        type: "tool-result",
        toolCallId: "f",
        toolName: "run",
        output: { type: "content", value: [{ type: "file-url", url: "https://example.com/a" }] },
      },
      { type: "tool-approval-response", approvalId: "p", approved: true },
    ],
  },
  { role: "assistant", content: "done" },
];

describe("the AI SDK's messages", () => {
  it("gives back the identical array and objects where nothing was changed", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...everything, ...history(2)]), (raw) => {
        const { messages, render } = parseModelMessages(raw);
        expect(render(messages)).toBe(raw);
        expect(render(JSON.parse(JSON.stringify(messages)))).toBe(raw);
      }),
    );
  });

  it("writes messages that the AI SDK takes, whichever blocks are edited", () => {
    const { messages, render } = parseModelMessages(everything);
    const blocks = messages.flatMap(({ blocks: own }) => own);
    fc.assert(
      fc.property(fc.subarray(blocks), (chosen) => {
        const { messages: after, applied } = applyEdits(messages, chosen.map(planEdit));
        const rendered = render(after);
        for (const message of rendered)
          expect(modelMessageSchema.safeParse(message), JSON.stringify(message)).toMatchObject({ success: true });
        const edited = applied.map((edit) => (edit.kind === "replaceBlock" ? edit.block : ""));
        for (const [index, { blocks: own }] of messages.entries()) {
          const [raw, now] = [everything[index], rendered[index]];
          if (own.every(({ id }) => !edited.includes(id))) expect(now).toBe(raw);
          for (const [at, { id }] of own.entries())
            if (!edited.includes(id) && Array.isArray(raw?.content)) expect(now?.content[at]).toBe(raw.content[at]);
        }
      }),
    );
  });

  it("leaves what it cannot read alone", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const input = { cyclic, big: 1n };
    const raw: ModelMessage[] = [
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "a", toolName: "run", input }] },
    ];
    const { messages, render } = parseModelMessages(raw);
    expect(messages[0]?.blocks).toMatchObject([{ kind: "opaque", type: "tool-call" }]);
    expect(render([...messages])).toBe(raw);
  });
});

describe("createPrepareStep", () => {
  it("gives back the identical array below the line", async () => {
    const messages = history(2);
    expect((await compact(messages, { format: "ai-sdk", targetTokens: 100_000 })).messages).toBe(messages);
  });

  it("keeps every step of a run below the line, and each prefix as it was", async () => {
    const prompts: string[] = [];
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    };
    const model = new MockLanguageModelV3({
      doGenerate: async ({ prompt }) => {
        prompts.push(JSON.stringify(prompt));
        const call = { type: "tool-call", toolCallId: `step_${prompts.length}`, toolName: "run", input: "{}" } as const;
        return {
          content: prompts.length < 4 ? [call] : [{ type: "text", text: "done" }],
          finishReason: { unified: prompts.length < 4 ? "tool-calls" : "stop", raw: undefined },
          usage,
          warnings: [],
        };
      },
    });
    const { text } = await generateText({
      model,
      messages: history(20),
      tools: { run: tool({ inputSchema: jsonSchema({ type: "object" }), execute: async () => "ok" }) },
      stopWhen: stepCountIs(9),
      prepareStep: createPrepareStep({ targetTokens: 10_000 }),
    });
    expect(text).toBe("done");
    expect(prompts).toHaveLength(4);
    expect(Math.max(...prompts.map((prompt) => prompt.length))).toBeLessThan(JSON.stringify(history(20)).length / 3);
    for (const [index, prompt] of prompts.slice(1).entries())
      expect(prompt.startsWith((prompts[index] ?? "").slice(0, -1))).toBe(true);
  });
});

function planEdit(block: Block): Parameters<typeof applyEdits>[1][number] {
  const content = block.kind === "toolCall" ? { input: { edited: true } } : { text: "edited" };
  return replaceBlock(block, { content, by: "test", reason: "", handles: [] });
}
