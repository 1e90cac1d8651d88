/** If red: a program on the official SDK behind the gateway breaks in its tool loop or its streams. */
import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { answer, call, hang, overflow, overloaded, rateLimited, serverError, think } from "../api/replies.ts";
import type { Scenario } from "../api/scenario.ts";
import { createScriptedApi, type ScriptedApi } from "../api/scripted-api.ts";
import { validateMessages } from "../api/validate-messages.ts";
import { lines } from "./conversation.ts";
import { atEnd, type OpenGateway, openGateway } from "./open-gateway.ts";

async function open(scenario: Scenario): Promise<{ api: ScriptedApi; gateway: OpenGateway; client: Anthropic }> {
  const api = await createScriptedApi(scenario);
  atEnd(() => api.close());
  const gateway = await openGateway(api.url);
  const client = new Anthropic({ apiKey: "sk-ant-made-up", baseURL: gateway.url, maxRetries: 0 });
  return { api, gateway, client };
}

const TOOLS: Anthropic.Tool[] = [{ name: "bash", input_schema: { type: "object" } }];

/** A tool loop as an agent runs it: every call is answered with many lines, until the model calls no more. */
async function loop(client: Anthropic, { stream }: { readonly stream: boolean }): Promise<Anthropic.MessageParam[]> {
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Survey the hull." }];
  for (;;) {
    const request = { model: "claude-sonnet-4-6", max_tokens: 1000, tools: TOOLS, messages };
    const message = stream
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request);
    messages.push({ role: "assistant", content: message.content });
    const uses = message.content.filter((block) => block.type === "tool_use");
    if (uses.length === 0) return messages;
    messages.push({
      role: "user",
      content: uses.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: `${id}\n${lines(300)}` })),
    });
  }
}

describe.each([{ stream: true }, { stream: false }])("the official SDK, streaming: $stream", (how) => {
  it("runs a tool loop with thinking and parallel calls, and its large results leave folded", async () => {
    const { api, gateway, client } = await open({
      main: [
        answer(think("Where is it low?"), "I look.", call("bash", { command: "ls" }), call("bash", { command: "df" })),
        answer(think("Deeper."), call("bash", { command: "du" })),
        answer("Twelve fathoms."),
      ],
    });
    const messages = await loop(client, how);
    expect(messages.at(-1)?.content).toEqual([{ type: "text", text: "Twelve fathoms." }]);
    expect(api.requests).toHaveLength(3);
    expect(api.requests.flatMap(({ body }) => validateMessages(body))).toEqual([]);
    const last = api.requests[2]?.body.messages ?? [];
    expect(JSON.stringify(last).match(/\[FOLDED: /g)).toHaveLength(3);
    expect(last[1]).toEqual(messages[1]);
    expect(last[3]).toEqual(messages[3]);
    expect(JSON.stringify(last).startsWith(JSON.stringify(api.requests[1]?.body.messages).slice(0, -1))).toBe(true);
    expect(gateway.totals()).toMatchObject({ requests: 3, edited: 2, incidents: 0 });
  });

  it("is told of an overflow only where nothing can be taken out", async () => {
    const { api, gateway, client } = await open({
      main: [
        answer(call("bash", { command: "a" })),
        answer(call("bash", { command: "b" })),
        answer(call("bash", { command: "c" })),
        overflow(210_000, 200_000),
        answer("It fits."),
        overflow(9, 8),
      ],
    });
    const messages = await loop(client, how);
    expect(messages.at(-1)?.content).toEqual([{ type: "text", text: "It fits." }]);
    expect(gateway.totals().retries).toBe(1);
    expect(api.requests.flatMap(({ body }) => validateMessages(body))).toEqual([]);
    const [refused, sent] = [api.requests[3], api.requests[4]].map(
      (request) => JSON.stringify(request?.body.messages).length,
    );
    expect(sent).toBeLessThan(refused ?? 0);
    const short = client.messages.create({
      model: "claude-sonnet-4-6",
      max_tokens: 9,
      messages: [{ role: "user", content: "?" }],
    });
    await expect(short).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("prompt is too long: 9"),
    });
  });

  it.each([
    ["429", rateLimited(7), { status: 429 }],
    ["500", serverError(), { status: 500 }],
    ["529", overloaded(), { status: 529 }],
  ])("gets a %s as it came, with its headers, and the next answer after it", async (_name, refusal, error) => {
    const { client } = await open({ main: [refusal, answer("Aye.")] });
    const ask = () =>
      client.messages.create({ model: "claude-sonnet-4-6", max_tokens: 9, messages: [{ role: "user", content: "?" }] });
    const failed = await ask().catch((caught: unknown) => caught);
    expect(failed).toMatchObject(error);
    if (failed instanceof Anthropic.APIError) {
      expect(failed.headers?.get("request-id")).toBe("req_main_0");
      if (failed.status === 429) expect(failed.headers?.get("retry-after")).toBe("7");
    }
    expect((await ask()).content).toEqual([{ type: "text", text: "Aye." }]);
  });
});

describe("a client that goes away", () => {
  it("cancels the request at the upstream", async () => {
    const { api, client, gateway } = await open({ main: [hang(), answer("Aye.")] });
    const controller = new AbortController();
    const asked = client.messages.create(
      { model: "claude-sonnet-4-6", max_tokens: 9, messages: [{ role: "user", content: "?" }] },
      { signal: controller.signal },
    );
    while (api.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    await expect(asked).rejects.toThrow();
    const again = await client.messages.create({
      model: "claude-sonnet-4-6",
      max_tokens: 9,
      messages: [{ role: "user", content: "?" }],
    });
    expect(again.content).toEqual([{ type: "text", text: "Aye." }]);
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(metrics).toContain("plimsoll_gateway_client_aborts_total 1");
  });

  it("is counted out when it stops reading in mid-stream", async () => {
    const { client, gateway } = await open({ main: [answer("word ".repeat(20_000)), answer("Aye.")] });
    const stream = client.messages.stream({
      model: "claude-sonnet-4-6",
      max_tokens: 9,
      messages: [{ role: "user", content: "?" }],
    });
    for await (const _event of stream) break;
    stream.abort();
    const next = await client.messages.create({
      model: "claude-sonnet-4-6",
      max_tokens: 9,
      messages: [{ role: "user", content: "?" }],
    });
    expect(next.content).toEqual([{ type: "text", text: "Aye." }]);
    expect(gateway.totals().incidents).toBe(0);
  });
});

it("counts tokens of what would be sent, and decides nothing for it", async () => {
  const { api, client, gateway } = await open({ main: [answer(call("bash", { command: "ls" })), answer("Done.")] });
  const messages = await loop(client, { stream: false });
  const counted = await client.messages.countTokens({
    model: "claude-sonnet-4-6",
    tools: TOOLS,
    messages: messages.slice(0, 3),
  });
  expect(counted.input_tokens).toBeLessThan(3000);
  expect(api.sideRequests).toEqual([expect.objectContaining({ method: "POST", path: "/v1/messages/count_tokens" })]);
  expect(gateway.totals().edits).toBe(1);
});
