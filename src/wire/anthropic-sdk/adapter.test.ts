/** If red: an agent on Anthropic's SDK sends other bytes than needed, or hides the API's errors. */
import Anthropic from "@anthropic-ai/sdk";
import { afterEach, describe, expect, it } from "vitest";
import { answer, overflow, rateLimited } from "../../../test/api/replies.ts";
import type { Scenario } from "../../../test/api/scenario.ts";
import { createScriptedApi, type ScriptedApi } from "../../../test/api/scripted-api.ts";
import { validateMessages } from "../../../test/api/validate-messages.ts";
import type { Compacted } from "../compactor.ts";
import { createSummariser, withPlimsoll } from "./adapter.ts";

const MODEL = "claude-sonnet-4-6";
let api: ScriptedApi | undefined;

afterEach(async () => {
  await api?.close();
});

async function start(main: Scenario["main"]): Promise<{ readonly client: Anthropic; readonly api: ScriptedApi }> {
  api = await createScriptedApi({ main });
  return { client: new Anthropic({ baseURL: api.url, apiKey: "made-up", maxRetries: 0 }), api };
}

/** So many exchanges with a result of 300 lines each. */
function history(exchanges: number): Anthropic.MessageParam[] {
  return [
    { role: "user", content: "find the leak" },
    ...Array.from({ length: exchanges }, (_, index): Anthropic.MessageParam[] => [
      { role: "assistant", content: [{ type: "tool_use", id: `t${index}`, name: "Run", input: { index } }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: `t${index}`, content: `output ${index} of a run\n`.repeat(300) }],
      },
    ]).flat(),
  ];
}

describe("withPlimsoll", () => {
  it("sends the same bytes as the client alone where nothing needs to be done", async () => {
    const { client, api } = await start([answer("one"), answer("two")]);
    const body = { model: MODEL, max_tokens: 100, messages: history(1) };
    await client.messages.create(body);
    await withPlimsoll(client, { targetTokens: 100_000 }).messages.create(body);
    expect(JSON.stringify(api.requests[1]?.body.raw)).toBe(JSON.stringify(api.requests[0]?.body.raw));
  });

  it("sends create and stream below the line, and the same prefix in the next request", async () => {
    const { client, api } = await start([answer("one"), answer("two")]);
    const seen: Compacted[] = [];
    const light = withPlimsoll(client, { targetTokens: 10_000, onPrepared: (made) => void seen.push(made) });
    const { data } = await light.messages.create({ model: MODEL, max_tokens: 9, messages: history(20) }).withResponse();
    expect(data.content).toMatchObject([{ text: "one" }]);
    const more = [...history(20), { role: "user" as const, content: "go on" }];
    expect(await light.messages.stream({ model: MODEL, max_tokens: 9, messages: more }).finalText()).toBe("two");
    const [first, second] = api.requests.map(({ body }) => body.messages);
    expect(JSON.stringify(first).length).toBeLessThan(JSON.stringify(history(20)).length / 3);
    expect(second?.slice(0, first?.length)).toEqual(first);
    expect(seen[0]?.report.tokensAfter).toBeLessThanOrEqual(10_000);
    expect(api.requests.flatMap(({ body }) => validateMessages(body))).toEqual([]);
  });

  it("hands a stream on as it begins, and does not wait for its end", async () => {
    let end = (): void => undefined;
    const start = { type: "message_start", message: { id: "m", type: "message", role: "assistant", content: [] } };
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`event: message_start\ndata: ${JSON.stringify(start)}\n\n`));
        end = () => controller.close();
      },
    });
    const fetch = async () => new Response(body, { headers: { "content-type": "text/event-stream" } });
    const light = withPlimsoll(new Anthropic({ apiKey: "made-up", maxRetries: 0, fetch }), { targetTokens: 100_000 });
    const asked = { model: MODEL, max_tokens: 9, messages: history(1), stream: true } as const;
    const stream = await light.messages.create(asked);
    expect(await stream[Symbol.asyncIterator]().next()).toMatchObject({ value: { type: "message_start" } });
    end();
  });

  it("compacts harder and sends once more when the API says that it does not fit", async () => {
    const { client, api } = await start([overflow(210_000, 200_000), answer("fits now")]);
    const stored: string[] = [];
    const light = withPlimsoll(client, {
      targetTokens: 1_000_000,
      store: (originals) => void stored.push(...originals.map(({ handle }) => handle)),
    });
    const made = await light.messages.create({ model: MODEL, max_tokens: 9, messages: history(20) });
    expect(made.content).toMatchObject([{ text: "fits now" }]);
    const [before, after] = api.requests.map(({ body }) => JSON.stringify(body.messages).length);
    expect(after).toBeLessThan((before ?? 0) / 3);
    expect(stored.length).toBeGreaterThan(0);
  });

  it("passes the second refusal on, and every other error at once", async () => {
    const { client, api } = await start([overflow(3, 2), overflow(3, 2), rateLimited()]);
    const light = withPlimsoll(client, { targetTokens: 1_000_000 });
    const body = { model: MODEL, max_tokens: 9, messages: history(20) };
    await expect(light.messages.create(body)).rejects.toThrow("prompt is too long");
    expect(api.requests).toHaveLength(2);
    await expect(light.messages.create(body)).rejects.toThrow("rate limit");
    expect(api.requests).toHaveLength(3);
  });

  it("counts and sends the request as it came when our side fails", async () => {
    const { client, api } = await start([answer("one")]);
    const failures: unknown[] = [];
    const broken = withPlimsoll(client, {
      targetTokens: 1,
      onFailure: (error) => void failures.push(error),
      countTokens: () => {
        throw new Error("planted");
      },
    });
    await broken.messages.countTokens({ model: MODEL, messages: history(1) });
    await broken.messages.create({ model: MODEL, max_tokens: 9, messages: history(1) });
    expect(failures).toEqual([new Error("planted"), new Error("planted")]);
    expect(api.requests[0]?.body.raw).toEqual({ model: MODEL, max_tokens: 9, messages: history(1) });
  });

  it("says what is wrong with the client it was given", () => {
    const client = { middleware: undefined, withOptions: () => client };
    // @ts-expect-error: a client of an older SDK has no middleware
    expect(() => withPlimsoll(client, { targetTokens: 1 })).toThrow(/client must be .* 0\.102 or later/);
  });
});

describe("createSummariser", () => {
  it("asks once, in one request, for summary and memories", async () => {
    const { client, api } = await start([
      answer("<summary>found it</summary><memories>- uses pnpm</memories>"),
      answer("done"),
    ]);
    const seen: Compacted[] = [];
    const light = withPlimsoll(client, {
      targetTokens: 500,
      summarise: createSummariser(client, { model: MODEL }),
      onPrepared: (made) => void seen.push(made),
    });
    await light.messages.create({ model: MODEL, max_tokens: 9, messages: history(20) });
    expect(api.requests).toHaveLength(2);
    expect(api.requests[0]?.body).toMatchObject({ stream: true, messages: [{ role: "user" }] });
    expect(seen[0]?.memories).toEqual([{ topic: "General", text: "uses pnpm" }]);
    expect(JSON.stringify(api.requests[1]?.body.messages)).toContain("So far:\\nfound it");
  });

  it("fails at once where the API does, without a retry", async () => {
    const { client, api } = await start([rateLimited()]);
    const ask = createSummariser(client.withOptions({ maxRetries: 5 }), { model: MODEL });
    await expect(ask({ text: "t", instructions: "i", maxOutputTokens: 9 })).rejects.toThrow("rate limit");
    expect(api.requests).toHaveLength(1);
  });

  it("names the option that is wrong", () => {
    const client = new Anthropic({ apiKey: "made-up" });
    expect(() => createSummariser(client, { model: "" })).toThrow(/^model must/);
    expect(() => createSummariser(client, { model: MODEL, timeoutMs: 0 })).toThrow(/^timeoutMs must/);
  });
});
