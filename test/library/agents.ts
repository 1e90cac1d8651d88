import Anthropic from "@anthropic-ai/sdk";
import { type Content, GoogleGenAI } from "@google/genai";
import { ChatAnthropic } from "@langchain/anthropic";
import { tool as aiTool, generateText, jsonSchema, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { tool as chainTool, createAgent, createMiddleware } from "langchain";
import OpenAI from "openai";
import { isObject, type JsonObject, listField, objectField } from "../../src/core/json.ts";
import { createAiSdkRecallTool, createPrepareStep } from "../../src/wire/ai-sdk/adapter.ts";
import { createAnthropicRecallTool, withPlimsoll } from "../../src/wire/anthropic-sdk/adapter.ts";
import { type ConversationStore, createConversation } from "../../src/wire/create-conversation.ts";
import { createThreadTools } from "../../src/wire/langchain/adapter.ts";
import { answer, call } from "../api/replies.ts";
import { createScriptedApi } from "../api/scripted-api.ts";
import { validateMessages } from "../api/validate-messages.ts";
import { createJsonApi } from "./json-api.ts";

/** What an agent sent, and its way back. */
export interface Ran {
  /** The messages of each request, as the API got them. */
  readonly requests: readonly (readonly object[])[];
  readonly invalid: readonly string[];
  recall(handle: string): Promise<string>;
}

export interface Task {
  readonly tenant: string;
  readonly days: number;
  readonly store: ConversationStore;
  readonly targetTokens: number;
}

export type Agent = (task: Task) => Promise<Ran>;

/** A result of about 1,000 tokens, of this tenant alone. */
export function readDay(tenant: string, day: number): string {
  return Array.from(
    { length: 60 },
    (_, line) => `${tenant} day ${day} line ${line}: wind from west, ${(line * day) % 89} waves`,
  ).join("\n");
}

const PARAMETERS = { type: "object" as const, properties: { day: { type: "number" as const } }, required: ["day"] };
const prompt = (tenant: string): string => `Read the log of ${tenant}, one day after the other.`;

/** Each agent of a builder with the SDK that it names, on a scripted API. */
export const AGENTS: Readonly<Record<string, Agent>> = {
  "Anthropic SDK": async ({ tenant, days, ...options }) => {
    const api = await createScriptedApi({
      main: (_, step) => (step < days ? answer(call("readLog", { day: step })) : answer("Done.")),
    });
    const plimsoll = createConversation({ id: tenant, ...options });
    const client = withPlimsoll(new Anthropic({ apiKey: "made-up", baseURL: api.url, maxRetries: 0 }), plimsoll);
    const recall = createAnthropicRecallTool(plimsoll);
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: prompt(tenant) }];
    for (;;) {
      const tools: Anthropic.ToolUnion[] = [{ name: "readLog", input_schema: PARAMETERS }, recall];
      const said = await client.messages.create({ model: "claude-sonnet-4-6", max_tokens: 1000, tools, messages });
      messages.push({ role: "assistant", content: said.content });
      const uses = said.content.filter((block) => block.type === "tool_use");
      if (uses.length === 0) break;
      const content = uses.map(({ id, input }) => ({
        type: "tool_result" as const,
        tool_use_id: id,
        content: readDay(tenant, Number(Object(input).day)),
      }));
      messages.push({ role: "user", content });
    }
    await api.close();
    return {
      requests: api.requests.map(({ body }) => body.messages),
      invalid: api.requests.flatMap(({ body }) => validateMessages(body).map((found) => JSON.stringify(found))),
      recall: (handle) => recall.run({ handle }),
    };
  },

  "AI SDK": async ({ tenant, days, ...options }) => {
    const requests: (readonly object[])[] = [];
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    };
    const model = new MockLanguageModelV3({
      doGenerate: async ({ prompt: sent }) => {
        const step = requests.push(sent) - 1;
        const used = {
          type: "tool-call",
          toolCallId: `call_${step}`,
          toolName: "readLog",
          input: `{"day":${step}}`,
        } as const;
        const isDone = step >= days;
        return {
          content: isDone ? [{ type: "text", text: "Done." }] : [used],
          finishReason: { unified: isDone ? "stop" : "tool-calls", raw: undefined },
          usage,
          warnings: [],
        };
      },
    });
    const plimsoll = createConversation({ id: tenant, ...options });
    const recall = createAiSdkRecallTool(plimsoll);
    const execute = async ({ day }: { day: number }) => readDay(tenant, day);
    const readLog = aiTool({ inputSchema: jsonSchema<{ day: number }>(PARAMETERS), execute });
    const prepareStep = createPrepareStep(plimsoll);
    await generateText({
      model,
      prompt: prompt(tenant),
      tools: { readLog, recall },
      stopWhen: stepCountIs(days + 2),
      prepareStep,
    });
    return { requests, invalid: requests.flatMap(checkParts), recall: (handle) => recall.execute({ handle }) };
  },

  LangChain: async ({ tenant, days, ...options }) => {
    const api = await createScriptedApi({
      main: (_, step) => (step < days ? answer(call("readLog", { day: step })) : answer("Done.")),
    });
    const plimsoll = createThreadTools(options);
    const model = new ChatAnthropic({
      model: "claude-sonnet-4-6",
      apiKey: "made-up",
      anthropicApiUrl: api.url,
      maxRetries: 0,
    });
    const readLog = chainTool(({ day }: { day: number }) => readDay(tenant, day), {
      name: "readLog",
      description: "A day.",
      schema: PARAMETERS,
    });
    const recall = chainTool(...plimsoll.recall);
    const agent = createAgent({ model, tools: [readLog, recall], middleware: [createMiddleware(plimsoll.middleware)] });
    const configurable = { thread_id: tenant };
    await agent.invoke(
      { messages: [{ role: "user", content: prompt(tenant) }] },
      { configurable, recursionLimit: days * 4 + 20 },
    );
    await api.close();
    return {
      requests: api.requests.map(({ body }) => body.messages),
      invalid: api.requests.flatMap(({ body }) => validateMessages(body).map((found) => JSON.stringify(found))),
      recall: (handle) => plimsoll.recall[0]({ handle }, { configurable }),
    };
  },

  "OpenAI Chat": async ({ tenant, days, ...options }) => {
    const requests: (readonly object[])[] = [];
    const api = await createJsonApi((body) => {
      const step = requests.push(listField(body, "messages").filter(isObject)) - 1;
      const calls = [
        { id: `call_${step}`, type: "function", function: { name: "readLog", arguments: `{"day":${step}}` } },
      ];
      const message =
        step < days ? { role: "assistant", content: null, tool_calls: calls } : { role: "assistant", content: "Done." };
      return { id: `c${step}`, object: "chat.completion", choices: [{ index: 0, message, finish_reason: "stop" }] };
    });
    const client = new OpenAI({ apiKey: "made-up", baseURL: api.url, maxRetries: 0 });
    const plimsoll = createConversation({ id: tenant, format: "openai-chat", ...options });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: prompt(tenant) }];
    for (;;) {
      const light = await plimsoll.prepare(messages);
      const { choices } = await client.chat.completions.create({ model: "gpt-5", messages: light.messages });
      const said = choices[0]?.message;
      if (!said?.tool_calls) break;
      messages.push(said);
      for (const used of said.tool_calls)
        if (used.type === "function")
          messages.push({
            role: "tool",
            tool_call_id: used.id,
            content: readDay(tenant, JSON.parse(used.function.arguments).day),
          });
    }
    await api.close();
    return { requests, invalid: requests.flatMap(checkChat), recall: (handle) => plimsoll.tool.run({ handle }) };
  },

  "OpenAI Responses": async ({ tenant, days, ...options }) => {
    const requests: (readonly object[])[] = [];
    const api = await createJsonApi((body) => {
      const step = requests.push(listField(body, "input").filter(isObject)) - 1;
      const used = {
        type: "function_call",
        id: `fc_${step}`,
        call_id: `call_${step}`,
        name: "readLog",
        arguments: `{"day":${step}}`,
      };
      const done = {
        type: "message",
        id: "m",
        role: "assistant",
        content: [{ type: "output_text", text: "Done.", annotations: [] }],
      };
      return { id: `r${step}`, object: "response", output: [step < days ? used : done] };
    });
    const client = new OpenAI({ apiKey: "made-up", baseURL: api.url, maxRetries: 0 });
    const plimsoll = createConversation({ id: tenant, format: "openai-responses", ...options });
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: prompt(tenant) }];
    for (;;) {
      const light = await plimsoll.prepare(input);
      const { output } = await client.responses.create({ model: "gpt-5", input: light.messages });
      const uses = output.filter((item) => item.type === "function_call");
      if (uses.length === 0) break;
      for (const used of uses) {
        input.push(used);
        input.push({
          type: "function_call_output",
          call_id: used.call_id,
          output: readDay(tenant, JSON.parse(used.arguments).day),
        });
      }
    }
    await api.close();
    return { requests, invalid: requests.flatMap(checkItems), recall: (handle) => plimsoll.tool.run({ handle }) };
  },

  "Google Gen AI": async ({ tenant, days, ...options }) => {
    const requests: (readonly object[])[] = [];
    const api = await createJsonApi((body) => {
      const step = requests.push(listField(body, "contents").filter(isObject)) - 1;
      const used = { functionCall: { name: "readLog", args: { day: step } }, thoughtSignature: "c2lnbmVk" };
      return {
        candidates: [
          { content: { role: "model", parts: [step < days ? used : { text: "Done." }] }, finishReason: "STOP" },
        ],
      };
    });
    const client = new GoogleGenAI({ apiKey: "made-up", httpOptions: { baseUrl: api.url } });
    const plimsoll = createConversation({ id: tenant, format: "gemini", ...options });
    const contents: Content[] = [{ role: "user", parts: [{ text: prompt(tenant) }] }];
    for (;;) {
      const light = await plimsoll.prepare(contents);
      const said = await client.models.generateContent({ model: "gemini-3-pro", contents: light.messages });
      const [content] = said.candidates?.flatMap((candidate) => candidate.content ?? []) ?? [];
      const uses = said.functionCalls ?? [];
      if (!content || uses.length === 0) break;
      contents.push(content);
      const parts = uses.map(({ name = "", args }) => ({
        functionResponse: { name, response: { output: readDay(tenant, Number(args?.day)) } },
      }));
      contents.push({ role: "user", parts });
    }
    await api.close();
    return { requests, invalid: requests.flatMap(checkContents), recall: (handle) => plimsoll.tool.run({ handle }) };
  },
};

/** What each API refuses: a call without its result behind it, or a result without its call. */
function checkChat(messages: readonly object[]): readonly string[] {
  let open: string[] = [];
  const wrong: string[] = [];
  for (const message of messages.filter(isJson)) {
    if (message.role === "tool") {
      if (!open.includes(String(message.tool_call_id))) wrong.push(`no call ${String(message.tool_call_id)}`);
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    wrong.push(...open.map((id) => `no result of ${id}`));
    open = listField(message, "tool_calls")
      .filter(isObject)
      .map(({ id }) => String(id));
  }
  return [...wrong, ...open.map((id) => `no result of ${id}`)];
}

function checkItems(items: readonly object[]): readonly string[] {
  const ids = (type: string): readonly string[] =>
    items
      .filter(isJson)
      .filter((item) => item.type === type)
      .map((item) => String(item.call_id));
  const [calls, results] = [ids("function_call"), ids("function_call_output")];
  return JSON.stringify(calls) === JSON.stringify(results) ? [] : [`calls ${calls.join()} results ${results.join()}`];
}

function checkContents(contents: readonly object[]): readonly string[] {
  const count = (content: JsonObject | undefined, name: string): number =>
    content
      ? listField(content, "parts")
          .filter(isObject)
          .filter((part) => objectField(part, name)).length
      : 0;
  const all = contents.filter(isJson);
  return all.flatMap((content, at) => {
    const [calls, results] = [count(content, "functionCall"), count(all[at + 1], "functionResponse")];
    const [answers, asked] = [count(content, "functionResponse"), count(all[at - 1], "functionCall")];
    return calls !== 0 && calls !== results ? [`${calls} calls`] : answers !== asked ? [`${answers} results`] : [];
  });
}

function checkParts(prompt: readonly object[]): readonly string[] {
  const ids = (type: string): readonly string[] =>
    prompt.filter(isJson).flatMap((message) =>
      listField(message, "content")
        .filter(isObject)
        .filter((part) => part.type === type)
        .map((part) => String(part.toolCallId)),
    );
  const [calls, results] = [ids("tool-call"), ids("tool-result")];
  return JSON.stringify(calls) === JSON.stringify(results) ? [] : [`calls ${calls.join()} results ${results.join()}`];
}

function isJson(value: object): value is JsonObject {
  return isObject(JSON.parse(JSON.stringify(value)));
}

/** Requests that do not begin with the whole of the one before. */
export function countBreaks(requests: readonly (readonly object[])[]): number {
  const texts = requests.map((request) => request.map((message) => JSON.stringify(withoutMarks(message))));
  return texts.filter((own, at) => at > 0 && texts[at - 1]?.some((text, index) => own[index] !== text)).length;
}

function withoutMarks(message: object): unknown {
  return JSON.parse(JSON.stringify(message, (key, value: unknown) => (key === "cache_control" ? undefined : value)));
}
