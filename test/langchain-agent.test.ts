/** If red: an agent of LangChain with createCompaction fails on an overflow or changes its prefix. */
import { ChatAnthropic } from "@langchain/anthropic";
import { createAgent, createMiddleware, tool } from "langchain";
import { afterEach, describe, expect, it } from "vitest";
import type { AdapterOptions } from "../src/wire/adapter-options.ts";
import type { Compacted } from "../src/wire/compactor.ts";
import { createMemoryStore } from "../src/wire/create-conversation.ts";
import { createCompaction, createThreadTools } from "../src/wire/langchain/adapter.ts";
import type { ApiRequest } from "./api/api-request.ts";
import { answer, call, overflow, rateLimited } from "./api/replies.ts";
import type { Reply, Scenario } from "./api/scenario.ts";
import { createScriptedApi, type ScriptedApi } from "./api/scripted-api.ts";
import { validateMessages } from "./api/validate-messages.ts";

let api: ScriptedApi | undefined;

afterEach(async () => {
  await api?.close();
});

const readLog = tool(({ day }: { day: number }) => `day ${day}: wind and waves\n`.repeat(400), {
  name: "readLog",
  description: "Reads the log of one day.",
  schema: { type: "object", properties: { day: { type: "number" } }, required: ["day"] },
});

/** Reads a day after the other, then says that it is done. */
function read(days: number): (request: ApiRequest, step: number) => Reply {
  return (_, step) => (step < days ? answer(call("readLog", { day: step + 1 })) : answer("Done."));
}

/** A real agent on a scripted API. */
async function run(
  main: Scenario["main"],
  options: AdapterOptions,
  tasks: readonly string[] = ["t"],
): Promise<readonly ApiRequest[]> {
  await api?.close();
  api = await createScriptedApi({ main });
  const model = new ChatAnthropic({
    model: "claude-sonnet-4-6",
    apiKey: "made-up",
    anthropicApiUrl: api.url,
    maxRetries: 0,
  });
  const middleware = [createMiddleware(createCompaction(options))];
  const agent = createAgent({ model, tools: [readLog], middleware });
  for (const thread_id of tasks)
    await agent.invoke(
      { messages: [{ role: "user", content: `Read all for ${thread_id}.` }] },
      { configurable: { thread_id } },
    );
  for (const { body } of api.requests) expect(validateMessages(body)).toEqual([]);
  return api.requests;
}

const weigh = (request: ApiRequest | undefined): number => JSON.stringify(request?.body.messages).length;

describe("createThreadTools in an agent of LangChain", () => {
  it("refuses a call without a thread, with what to do: two conversations that begin alike would share their originals", async () => {
    const { middleware, recall } = createThreadTools({ targetTokens: 2_000, store: createMemoryStore() });
    const request = { messages: [{ type: "human", content: "Read all." }] };
    await expect(middleware.wrapModelCall(request, () => "sent")).rejects.toThrow("{ configurable: { thread_id:");
    expect(() => recall[0]({ handle: "plimsoll:0123456789ab" }, {})).toThrow("{ configurable: { thread_id:");
    const named = { ...request, runtime: { configurable: { thread_id: "1" } } };
    expect(await middleware.wrapModelCall(named, () => "sent")).toBe("sent");
  });
});

describe("createCompaction in an agent of LangChain", () => {
  it("compacts harder and sends once more where the API says that the request does not fit", async () => {
    const script = read(6);
    let refused = 0;
    const sent = await run(
      (request, step) => (step === 6 && refused++ === 0 ? overflow(210_000, 200_000) : script(request, step - refused)),
      { targetTokens: 100_000 },
    );
    expect(sent).toHaveLength(8);
    expect(weigh(sent[5])).toBeGreaterThan(weigh(sent[4]));
    expect(weigh(sent[7])).toBeLessThan(weigh(sent[6]) / 2);
  });

  it("passes on what is no overflow, and an overflow that comes again", async () => {
    const failing = (reply: Reply) =>
      run((request, step) => (step < 3 ? read(3)(request, step) : reply), { targetTokens: 100_000 });
    await expect(failing(rateLimited())).rejects.toThrow(/rate/i);
    expect(api?.requests).toHaveLength(4);
    await expect(failing(overflow(210_000, 200_000))).rejects.toThrow(/too long/);
    expect(api?.requests).toHaveLength(5);
  });

  it("sends the same bytes from an agent that is given a saved ledger", async () => {
    const prepared: Compacted[] = [];
    const options: AdapterOptions = { targetTokens: 6_000, onPrepared: (compacted) => void prepared.push(compacted) };
    const sent = await run(read(8), options);
    const ledger = prepared.at(-1)?.ledger;
    expect(ledger?.decisions.length).toBeGreaterThan(0);
    const last = JSON.stringify(sent.at(-1)?.body.messages);
    const saved = JSON.parse(JSON.stringify(ledger));
    const again = await run(read(8), { targetTokens: 100_000, ledger: saved });
    expect(JSON.stringify(again.at(-1)?.body.messages)).toBe(last);
    const whole = await run(read(8), { targetTokens: 100_000 });
    expect(weigh(whole.at(-1))).toBeGreaterThan(last.length * 2);
  });

  it("forgets the thread that was longest unused where there are more than a thousand, not the oldest one in use", async () => {
    const counts: number[] = [];
    const onPrepared = ({ ledger }: Compacted) => void counts.push(ledger.requests ?? 0);
    const { wrapModelCall } = createCompaction({ targetTokens: 100_000, onPrepared });
    const ask = (thread_id: string) =>
      wrapModelCall({ messages: [{ type: "human", content: "Go on." }], configurable: { thread_id } }, () => "sent");
    await ask("used");
    for (let other = 0; other < 999; other++) await ask(`other ${other}`);
    await ask("used");
    await ask("one too many");
    await ask("used");
    await ask("other 0");
    expect(counts.slice(-4)).toEqual([2, 1, 3, 1]);
  });

  it("keeps a ledger for each thread", async () => {
    const prepared: Compacted[] = [];
    await run(
      (request, step) => read(8)(request, step % 9),
      { targetTokens: 6_000, onPrepared: (each) => void prepared.push(each) },
      ["one", "two"],
    );
    expect(prepared).toHaveLength(18);
    expect(prepared[9]?.ledger.decisions).toEqual([]);
    expect(prepared[8]?.ledger.decisions.length).toBe(prepared[17]?.ledger.decisions.length);
  });
});
