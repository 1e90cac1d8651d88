import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { createRequestPlanner } from "../../src/doors/gateway/plan-request.ts";
import type { ApiRequest } from "../api/api-request.ts";
import { answer, call, hang, overflow, overloaded, think } from "../api/replies.ts";
import type { Answer, Reply, Scenario } from "../api/scenario.ts";
import { createScriptedApi } from "../api/scripted-api.ts";
import { validateRequest } from "../api/validate-request.ts";
import { atEnd, createFolder, openGateway } from "./open-gateway.ts";

const CLAUSE = "Clause 17.4: the charterer pays demurrage of 4,311 dollars a day.";
const RECALL = "plimsoll_recall";
const TOOLS: Anthropic.Tool[] = [{ name: "load_document", input_schema: { type: "object" } }];

/** A contract of about so many characters with the clause in its middle, out of any preview's sight. */
function contract(characters: number): string {
  const line = (index: number): string =>
    `Section ${index}: the parties agree that the vessel proceeds with reasonable dispatch to berth ${index * 31}.`;
  const half = Math.ceil(characters / 2 / line(1).length);
  const lines = Array.from({ length: half * 2 }, (_, index) => line(index + 1));
  return [...lines.slice(0, half), CLAUSE, ...lines.slice(half)].join("\n");
}

const open = async (main: Scenario["main"], folder = createFolder()) => {
  const api = await createScriptedApi({ main });
  atEnd(() => api.close());
  const gateway = await openGateway(api.url, { folder });
  const connect = (url: string): Anthropic => new Anthropic({ apiKey: "made-up", baseURL: url, maxRetries: 0 });
  return { api, gateway, client: connect(gateway.url), connect };
};

type Messages = Anthropic.MessageParam[];

interface Ask {
  readonly messages: Messages;
  readonly stream: boolean;
  readonly more?: Partial<Anthropic.MessageCreateParamsNonStreaming>;
}

function ask(client: Anthropic, { messages, stream, more = {} }: Ask): Promise<Anthropic.Message> {
  const request = { model: "claude-sonnet-4-6", max_tokens: 1000, tools: TOOLS, messages, ...more };
  return stream ? client.messages.stream(request).finalMessage() : client.messages.create(request);
}

/** An agent that answers every call of its own tool with what it holds, until the model calls no more. */
async function loop(client: Anthropic, { messages, stream, more }: Ask, output: string): Promise<Messages> {
  const said = [...messages];
  for (;;) {
    const message = await ask(client, { messages: said, stream, ...(more ? { more } : {}) });
    said.push({ role: "assistant", content: message.content });
    const uses = message.content.filter((block) => block.type === "tool_use");
    if (uses.length === 0) return said;
    said.push({
      role: "user",
      content: uses.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: output })),
    });
  }
}

const ASKED: Messages = [{ role: "user", content: "What does clause 17.4 say?" }];

function sentText({ body }: ApiRequest): string {
  return JSON.stringify(body.messages);
}

function findHandle(request: ApiRequest): string {
  return /plimsoll:[0-9a-f]{12}/.exec(sentText(request))?.[0] ?? "";
}

/** A model that calls for the document, fetches what it cannot see, and says what it has seen. */
function reader(request: ApiRequest, index: number): Reply {
  if (index === 0) return answer(think("I need it."), "I look it up.", call("load_document", { name: "charter" }));
  if (sentText(request).includes(CLAUSE)) return answer(think("There it is."), `It says: ${CLAUSE}`);
  const canRecall = request.body.tools.some(({ name }) => name === RECALL);
  if (!canRecall) return answer("The document does not say.");
  return answer(think("Folded."), "One moment.", call(RECALL, { handle: findHandle(request), pattern: "17\\.4" }));
}

const faultsOf = (requests: readonly ApiRequest[]) => requests.flatMap(({ body }) => validateRequest(body));

describe.each([{ stream: true }, { stream: false }])("a client without recall of its own, streaming: $stream", ({ stream }) => {
  it.each([6_000, 12_000, 20_000, 40_000, 60_000])("is told a clause of a document of %i characters", async (size) => {
    const { api, client, gateway } = await open(reader);
    const said = await loop(client, { messages: ASKED, stream }, contract(size));
    expect(JSON.stringify(said.at(-1))).toContain(CLAUSE);
    expect(faultsOf(api.requests)).toEqual([]);
    expect(gateway.totals().recalls).toBe(size > 16_000 ? 1 : 0);
    expect(JSON.stringify(said)).not.toContain(RECALL);
  });

  it("gets one continuous answer, with the usage of all requests", async () => {
    const { api, client } = await open(reader);
    const document = contract(30_000);
    const first = await ask(client, { messages: ASKED, stream });
    const messages: Messages = [
      ...ASKED,
      { role: "assistant", content: first.content },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_main_0_2", content: document }] },
    ];
    const message = await ask(client, { messages, stream });
    expect(message.content.map(({ type }) => type)).toEqual(["thinking", "text", "thinking", "text"]);
    expect(message).toMatchObject({ id: "msg_main_1", stop_reason: "end_turn", role: "assistant" });
    expect(api.requests).toHaveLength(3);
    const usages = await Promise.all(
      api.requests.slice(1).map(async () => message.usage),
    );
    expect(usages[0]?.output_tokens).toBeGreaterThan(0);
    expect(message.usage.cache_read_input_tokens ?? 0).toBeGreaterThanOrEqual(0);
  });

  it("finds the call and its result in every later request, in the same bytes, and after a restart", async () => {
    const later = answer("As I said.");
    const { api, client, connect, gateway } = await open((request, index) => (index < 3 ? reader(request, index) : later));
    const said = await loop(client, { messages: ASKED, stream }, contract(30_000));
    said.push({ role: "user", content: "Sure?" });
    await ask(client, { messages: said, stream });
    const bytes = api.requests.map(({ body }) => JSON.stringify(body.messages).slice(0, -1));
    expect(bytes[2]?.startsWith(bytes[1] ?? "-")).toBe(true);
    expect(bytes[3]?.startsWith(bytes[2] ?? "-")).toBe(true);
    expect(bytes[3]).toContain(RECALL);
    const tools = api.requests.map(({ body }) => JSON.stringify(body.tools));
    expect(tools[0]).not.toContain(RECALL);
    expect(new Set(tools.slice(1)).size).toBe(1);
    await gateway.drain(0);
    const again = await openGateway(api.url, { folder: gateway.folder });
    await ask(connect(again.url), { messages: said, stream });
    expect(sentText(api.requests[4] ?? api.requests[0]!)).toBe(sentText(api.requests[3]!));
    expect(faultsOf(api.requests)).toEqual([]);
  });
});
