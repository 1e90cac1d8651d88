/** If red: the scripted API answers otherwise than the real one, so client tests prove nothing about real sessions. */
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { tries } from "../support/depth.ts";
import { assembleMessage, parseFrames } from "./assemble-message.ts";
import {
  answer,
  breakStream,
  call,
  hang,
  overflow,
  overloaded,
  rateLimited,
  serverError,
  summary,
  think,
  tooLarge,
} from "./replies.ts";
import type { AnswerBlock, Scenario } from "./scenario.ts";
import { createScriptedApi, type ScriptedApi } from "./scripted-api.ts";
import { assistant, fetchMessage, sendMessage, user } from "./send-message.ts";

const started: ScriptedApi[] = [];

async function start(scenario: Scenario): Promise<ScriptedApi> {
  const api = await createScriptedApi(scenario);
  started.push(api);
  return api;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((api) => api.close()));
});

const COMPACTION_PROMPT =
  "CRITICAL: Respond with TEXT ONLY. Your task is to create a detailed summary of the conversation.";

describe("createScriptedApi", () => {
  it("answers reply by reply, and says so when the script has ended", async () => {
    const { url } = await start({ main: [answer(call("Bash", { command: "ls" })), answer("Done.")] });
    const first = await fetchMessage(url, { messages: [user("hi")] });
    expect(first).toMatchObject({
      id: "msg_main_0",
      stop_reason: "tool_use",
      content: [{ id: "toolu_main_0_0", name: "Bash" }],
    });
    const second = await fetchMessage(url, { messages: [user("hi")] });
    expect(second).toMatchObject({ stop_reason: "end_turn", content: [{ type: "text", text: "Done." }] });
    const third = await sendMessage(url, { messages: [user("hi")] });
    expect(third.status).toBe(400);
    expect(await third.json()).toMatchObject({ error: { message: "the scenario has no reply for main_2" } });
  });

  it("keeps a script per lane", async () => {
    const { url, requests } = await start({
      main: [answer("main one"), answer("main two")],
      subagents: [[answer("first agent")], [answer("second agent")]],
      compaction: [summary("what happened")],
    });
    async function ask(words: string, agentId?: string): Promise<string> {
      const headers = agentId === undefined ? {} : { "x-claude-code-agent-id": agentId };
      const { content } = await fetchMessage(url, { messages: [user(words)], headers });
      return content.map((entry) => (entry.type === "text" ? entry.text : "")).join("");
    }
    expect(await ask("hi")).toBe("main one");
    expect(await ask("look", "a1")).toBe("first agent");
    expect(await ask("look", "a2")).toBe("second agent");
    expect(await ask(COMPACTION_PROMPT, "fork")).toContain("<summary>\nwhat happened\n</summary>");
    expect(await ask("go on")).toBe("main two");
    expect(requests.map((request) => request.lane)).toEqual(["main", "subagent", "subagent", "compaction", "main"]);
  });

  it("knows a subagent by its billing block and a compaction behind a trailing system message", async () => {
    const { url, requests } = await start({ main: [], subagents: [[answer("ok")]] });
    const system = [{ type: "text", text: "x-anthropic-billing-header: cc_version=2; cc_is_subagent=true;" }];
    await sendMessage(url, { messages: [user("look")], system });
    await sendMessage(url, { messages: [user(COMPACTION_PROMPT), { role: "system", content: "a reminder" }] });
    expect(requests.map((request) => request.lane)).toEqual(["subagent", "compaction"]);
  });

  it("answers every error with the API's status and shape", async () => {
    const { url } = await start({
      main: [overflow(210_000, 200_000), tooLarge(), rateLimited(3), serverError(), overloaded()],
    });
    const seen: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      const response = await sendMessage(url, { messages: [user("hi")], stream: true });
      const { error } = (await response.json()) as { error: { type: string; message: string } };
      seen.push(`${response.status} ${error.type} ${response.headers.get("retry-after") ?? "-"}`);
      if (at === 0) expect(error.message).toBe("prompt is too long: 210000 tokens > 200000 maximum");
    }
    expect(seen).toEqual([
      "400 invalid_request_error -",
      "413 request_too_large -",
      "429 rate_limit_error 3",
      "500 api_error -",
      "529 overloaded_error -",
    ]);
  });

  it("breaks a stream in the three ways a network can", async () => {
    const whole = answer("a text that is cut");
    const { url } = await start({
      main: [breakStream("half_frame", whole, 2), breakStream("error_event", whole, 2), breakStream("reset", whole, 2)],
    });
    const post = { messages: [user("hi")], stream: true };
    const half = await (await sendMessage(url, post)).text();
    expect(parseFrames(half).map((event) => event.type)).toEqual(["message_start", "ping"]);
    expect(half.endsWith("\n\n")).toBe(false);
    const refused = await (await sendMessage(url, post)).text();
    expect(parseFrames(refused).at(-1)).toMatchObject({ type: "error", error: { type: "overloaded_error" } });
    const reset = await sendMessage(url, post);
    expect(reset.status).toBe(200);
    await expect(reset.text()).rejects.toThrow();
  });

  it("ends hanging requests when it is closed", async () => {
    const api = await createScriptedApi({ main: [hang()] });
    const pending = sendMessage(api.url, { messages: [user("hi")] }).then(
      () => "answered",
      () => "ended",
    );
    while (api.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await api.close();
    expect(await pending).toBe("ended");
  });

  it("serves the side routes and refuses unknown ones", async () => {
    const { url, sideRequests } = await start({ main: [] });
    expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(`${url}/api/hello`)).status).toBe(200);
    expect((await fetch(`${url}/v1/models`)).status).toBe(404);
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "x".repeat(3200) }] });
    const count = await fetch(`${url}/v1/messages/count_tokens`, { method: "POST", body });
    expect(await count.json()).toEqual({ input_tokens: 1011 });
    expect(sideRequests).toHaveLength(4);
  });

  it("refuses a body that is no Messages request", async () => {
    const { url, requests } = await start({ main: [answer("never")] });
    const response = await fetch(`${url}/v1/messages`, { method: "POST", body: "{" });
    expect(response.status).toBe(400);
    expect(requests).toEqual([]);
  });
});

describe("the reported usage", () => {
  it("reads from the cache what an earlier request began with", async () => {
    const { url } = await start({ main: [answer("one"), answer("two")] });
    const system = [{ type: "text", text: "s".repeat(3200), cache_control: { type: "ephemeral" } }];
    const { usage: cold } = await fetchMessage(url, { system, messages: [user("hi")] });
    const { usage: warm } = await fetchMessage(url, {
      system,
      messages: [user("hi"), assistant("one"), user("go on")],
    });
    expect(cold.cache_read_input_tokens).toBe(0);
    expect(warm.cache_read_input_tokens).toBe(cold.cache_creation_input_tokens);
    expect(warm.cache_creation.ephemeral_5m_input_tokens).toBe(warm.cache_creation_input_tokens);
    expect(warm.input_tokens).toBe(3);
  });

  it("counts everything as input where the request sets no breakpoint", async () => {
    const { url } = await start({ main: [answer("one")] });
    const { usage } = await fetchMessage(url, { messages: [assistant("x".repeat(320))] });
    expect(usage).toMatchObject({ cache_creation_input_tokens: 0, cache_read_input_tokens: 0 });
    expect(usage.input_tokens).toBeGreaterThan(100);
  });

  it("scales messages and answers, not the system prompt", async () => {
    const system = [{ type: "text", text: "s".repeat(3200) }];
    const totals: number[] = [];
    for (const scale of [1, 10]) {
      const { url } = await start({ main: [answer("x".repeat(320))], scale });
      const { usage } = await fetchMessage(url, { system, messages: [user("y".repeat(320))] });
      totals.push(usage.cache_creation_input_tokens, usage.output_tokens);
    }
    const [plainPrompt = 0, plainOutput = 0, scaledPrompt = 0, scaledOutput = 0] = totals;
    expect(scaledOutput).toBe(plainOutput * 10);
    expect(scaledPrompt - plainPrompt).toBeGreaterThan(9 * 100);
    expect(scaledPrompt).toBeLessThan(plainPrompt * 2);
  });

  it("lets the scenario set its own numbers", async () => {
    const usage = { cache_creation_input_tokens: 900, cache_read_input_tokens: 169_000 };
    const { url } = await start({ main: [{ ...answer("one"), usage }] });
    const message = await fetchMessage(url, { messages: [user("hi")] });
    expect(message.usage).toMatchObject({ ...usage, cache_creation: { ephemeral_5m_input_tokens: 900 } });
  });
});

const words = fc.oneof(fc.string(), fc.string({ unit: "grapheme", maxLength: 200 }));
const block: fc.Arbitrary<AnswerBlock> = fc.oneof(
  words.map((text) => ({ type: "text" as const, text })),
  fc.tuple(words, words).map(([thought, signature]) => think(thought, signature)),
  fc
    .tuple(words, fc.dictionary(words, fc.jsonValue()), fc.constantFrom(undefined, "toolu_given"))
    .map(([name, input, id]) => call(name, JSON.parse(JSON.stringify(input)), id)),
);

it("streams any answer so that it reassembles to the one not streamed", async () => {
  let content: readonly AnswerBlock[] = [];
  // One server for all runs; the label differs per reply, so ids and cached tokens are set apart from the comparison.
  const usage = { input_tokens: 3, cache_creation_input_tokens: 5, cache_read_input_tokens: 7 };
  const { url } = await start({ main: () => ({ kind: "answer", content, usage }) });
  await fc.assert(
    fc.asyncProperty(fc.array(block, { maxLength: 5 }), async (blocks) => {
      content = blocks.map((entry, index) => (entry.type === "tool_use" ? { ...entry, id: `toolu_${index}` } : entry));
      const { id: _, ...whole } = await fetchMessage(url, { messages: [user("hi")] });
      const stream = await (await sendMessage(url, { messages: [user("hi")], stream: true })).text();
      const { id: __, ...assembled } = assembleMessage(parseFrames(stream));
      expect(assembled).toEqual(whole);
    }),
    { numRuns: tries(20, 100) },
  );
});
