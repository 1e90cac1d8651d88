/** If red: messages of one SDK come back broken, or a call loses its result. */
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { applyEdits } from "../core/apply-edits.ts";
import { replaceBlock } from "../core/propose-edit.ts";
import { compact } from "./compactor.ts";
import { parseConversation } from "./conversation.ts";
import type { FormatName } from "./formats.ts";
import { createGeminiFormat } from "./gemini/contents.ts";

const output = (day: number): string => `day ${day}: wind and waves\n`.repeat(300);
const days = Array.from({ length: 20 }, (_, day) => day);

const CHAT = [
  { role: "system", content: "be brief" },
  { role: "user", content: "read all" },
  ...days.flatMap((day) => [
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: `c${day}`, type: "function", function: { name: "log", arguments: `{"day":${day}}` } }],
    },
    { role: "tool", tool_call_id: `c${day}`, content: output(day) },
  ]),
  { role: "assistant", content: "done" },
];
const ITEMS = [
  { role: "user", content: "read all" },
  ...days.flatMap((day) => [
    { type: "function_call", call_id: `c${day}`, name: "log", arguments: `{"day":${day}}` },
    { type: "function_call_output", call_id: `c${day}`, output: output(day) },
  ]),
  { type: "message", role: "assistant", content: [{ type: "output_text", text: "done" }] },
];
/** As the API gives them, without ids. */
const CONTENTS = [
  { role: "user", parts: [{ text: "read all" }] },
  ...days.flatMap((day) => [
    { role: "model", parts: [{ functionCall: { name: "log", args: { day } }, thoughtSignature: "c2lnbmVk" }] },
    { role: "user", parts: [{ functionResponse: { name: "log", response: { output: output(day) } } }] },
  ]),
  { role: "model", parts: [{ text: "done" }] },
];
const CHAIN = [
  new HumanMessage("read all"),
  ...days.flatMap((day) => [
    new AIMessage({
      content: [
        { type: "text", text: "next" },
        { type: "tool_use", id: `c${day}`, name: "log", input: { day } },
      ],
      tool_calls: [{ id: `c${day}`, name: "log", args: { day } }],
    }),
    new ToolMessage({ content: output(day), tool_call_id: `c${day}`, name: "log" }),
  ]),
  new AIMessage("done"),
];
const FORMATS: readonly [FormatName, readonly object[]][] = [
  ["openai-chat", CHAT],
  ["openai-responses", ITEMS],
  ["gemini", CONTENTS],
  ["langchain", CHAIN],
];

/** The ids of calls and of results, each in their order: what every API holds against each other. */
function pair(messages: readonly object[]): { readonly calls: readonly string[]; readonly results: readonly string[] } {
  const text = messages.map((message) => JSON.stringify(message));
  const find = (pattern: RegExp): readonly string[] =>
    text.flatMap((line) => [...line.matchAll(pattern)].map(([, id = ""]) => id));
  return {
    calls: find(/"tool_calls":\[\{"id":"(c\d+)"|"type":"function_call","call_id":"(?=c)(c\d+)"/g).map((id) => id),
    results: find(/"tool_call_id":"(c\d+)"|"type":"function_call_output","call_id":"(?=c)(c\d+)"/g),
  };
}

describe.each(FORMATS)("messages of the format %s", (format, messages) => {
  it("are the identical array below the line", async () => {
    expect((await compact(messages, { format, targetTokens: 1_000_000 })).messages).toBe(messages);
  });

  it("become lighter, keep calls with their results, and are the same the next time", async () => {
    const light = await compact(messages, { format, targetTokens: 6_000 });
    expect(light.report.tokensAfter).toBeLessThan(6_000);
    expect(light.report.tokensBefore).toBeGreaterThan(20_000);
    const { calls, results } = pair(light.messages);
    expect(results.filter((id) => id !== "")).toHaveLength(calls.filter((id) => id !== "").length);
    const ledger = JSON.parse(JSON.stringify(light.ledger));
    const again = await compact(messages, { format, targetTokens: 6_000, ledger });
    expect(JSON.stringify(again.messages)).toBe(JSON.stringify(light.messages));
    expect(light.messages.at(-1)).toBe(messages.at(-1));
  });
});

describe("Gemini's contents", () => {
  it.each(["error", "output"])("still say %s where a layer wrote another text into the result", (field) => {
    const { messages, render } = parseConversation(
      [
        { role: "user", parts: [{ text: "read all" }] },
        { role: "model", parts: [{ functionCall: { name: "log", args: {} } }] },
        { role: "user", parts: [{ functionResponse: { name: "log", response: { [field]: output(1) } } }] },
      ],
      createGeminiFormat(() => "person"),
    );
    const edits = messages
      .flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === "toolResult"))
      .map((result) => replaceBlock(result, { content: { text: "short" }, by: "own", reason: "long", handles: [] }));
    expect(render(applyEdits(messages, edits).messages).at(-1)).toEqual({
      role: "user",
      parts: [{ functionResponse: { name: "log", response: { [field]: "short" } } }],
    });
  });
});

describe("LangChain's messages", () => {
  it("stay objects of their classes, with the calls that a provider's content says again", async () => {
    const { messages } = await compact(CHAIN, {
      format: "langchain",
      targetTokens: 20_000,
      policy: "off",
      layers: { collapseExchanges: { eager: false } },
    });
    const isOwn = (message: object): boolean =>
      message instanceof HumanMessage || message instanceof AIMessage || message instanceof ToolMessage;
    expect(messages.filter((message) => !isOwn(message))).toEqual([]);
    expect(
      messages.some((message) => message instanceof ToolMessage && String(message.content).includes("[FOLDED")),
    ).toBe(true);
  });
});
