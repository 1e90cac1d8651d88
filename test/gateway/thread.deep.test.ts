/** If red: a request that hangs the reading thread holds up every other request. */
import { describe, expect, it } from "vitest";
import { zeroUsage } from "../../src/core/usage.ts";
import type { ReadingThread } from "../../src/entry/gateway/gateway.ts";
import type { Prepared } from "../../src/entry/gateway/prepared.ts";
import { createThreadReader } from "../../src/entry/gateway/thread/thread-reader.ts";
import { person, post, renderBody, type SentMessage, toolLoop } from "./conversation.ts";
import { atEnd, createFolder, openGateway } from "./open-gateway.ts";
import { openRawApi, sendCached } from "./raw-api.ts";
import { hangThreadAt, plantInThread, readApart } from "./thread.ts";

const OVERFLOW = JSON.stringify({
  type: "error",
  error: { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" },
});
const session = (name: string) => ({ metadata: { user_id: `user_session_${name}` } });

/** A conversation, request by request, as it reaches the API. */
async function converse(isApart: boolean): Promise<readonly string[]> {
  const api = await openRawApi(sendCached);
  const folder = createFolder();
  const { url, totals } = await openGateway(api.url, { folder, ...(isApart ? { thread: readApart(folder) } : {}) });
  const history = toolLoop(20, 300);
  for (let end = 1; end <= history.length; end += 2)
    expect((await post(url, renderBody(history.slice(0, end), session("a")))).status).toBe(200);
  expect(totals()).toMatchObject({ incidents: 0 });
  return api.requests.map(({ body }) => String(body));
}

/** Has conversations read in a thread without a gateway around it. */
function readInThread(more: Partial<ReadingThread>) {
  const { file, settings, stuckMs } = readApart(createFolder(), more);
  const used = new Float64Array(new SharedArrayBuffer(16));
  const start = { ...settings, budgetMs: 120_000, maxRememberedBytes: 1 << 20, used };
  const reader = createThreadReader({ file, start, stuckMs, onStoreError: () => undefined });
  atEnd(() => reader.close());
  return async (name: string, said: readonly SentMessage[] = []): Promise<Prepared> => {
    const body = Buffer.from(renderBody([...toolLoop(4, 300), ...said], session(name)));
    return (await reader.read(body, { user: "", headers: {} }, { purpose: "messages" })).prepared;
  };
}

describe("a thread that reads", () => {
  it("sends on what would have been sent without it, byte for byte", async () => {
    const [here, apart] = [await converse(false), await converse(true)];
    expect(here.some((body) => body.includes("[FOLDED: "))).toBe(true);
    expect(apart).toEqual(here);
  });

  it("costs nobody an answer or a byte where it ends, is counted, and is followed by another with the same prefix", async () => {
    const api = await openRawApi(sendCached);
    const folder = createFolder();
    const thread = readApart(folder, { file: plantInThread("process.exit(1);") });
    const { url, totals } = await openGateway(api.url, { folder, thread });
    const history = toolLoop(4, 300);
    const say = async (end: number): Promise<string> => {
      expect((await post(url, renderBody(history.slice(0, end), session("a")))).status).toBe(200);
      return String(api.requests.at(-1)?.body).replaceAll(',"cache_control":{"type":"ephemeral"}', "");
    };
    await say(1);
    const before = JSON.parse(await say(3)).messages;
    expect(JSON.stringify(before)).toContain("[FOLDED: ");
    const sunk = renderBody([...toolLoop(1, 300), person("sink")], session("b"));
    expect((await post(url, sunk)).status).toBe(200);
    expect(String(api.requests.at(-1)?.body)).toBe(sunk);
    expect(totals().incidents).toBe(1);
    const after = JSON.parse(await say(5)).messages;
    expect(after.slice(0, before.length)).toEqual(before);
    expect(JSON.stringify(after.at(-1))).toContain("[FOLDED: ");
  });

  it("keeps nobody else waiting where it never ends: health and small requests are answered, and its body leaves as it came", async () => {
    const api = await openRawApi(sendCached);
    const folder = createFolder();
    const large = renderBody([...toolLoop(1, 300), person("sink")], session("b"));
    const stuck = { file: plantInThread("for (;;);"), leastBytes: large.length, stuckMs: 4_000 };
    const { url, totals } = await openGateway(api.url, { folder, thread: readApart(folder, stuck) });
    let isAnswered = false;
    const asked = post(url, large).then((answer) => {
      isAnswered = true;
      return answer.status;
    });
    for (let round = 0; round < 3; round++) {
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      expect((await post(url, renderBody(toolLoop(1, 10), session(`${round}`)))).status).toBe(200);
    }
    expect(isAnswered).toBe(false);
    expect(await asked).toBe(200);
    expect(String(api.requests.at(-1)?.body)).toBe(large);
    expect(totals().incidents).toBe(1);
  });

  it("is ended where it hangs, whatever it was asked, and what asked goes on without it", async () => {
    const asked = { callId: "toolu_1", input: { handle: "plimsoll:000000000000" }, at: 0 };
    const questions: Readonly<Record<string, (prepared: Prepared) => Promise<unknown> | unknown>> = {
      react: ({ react }) => react(400, OVERFLOW),
      compact: ({ compact }) => compact(),
      answer: ({ recall }) => recall?.answer(asked),
      goOn: ({ recall }) => recall?.goOn([Buffer.from("{}")]),
      keep: ({ recall }) => recall?.keep([]),
    };
    const hung = [];
    for (const [kind, ask] of Object.entries(questions)) {
      const read = readInThread({ file: hangThreadAt(kind), stuckMs: 4_000 });
      // On a busy machine it may not have started in time.
      let prepared = await read("a");
      while (!prepared.recall) prepared = await read("a");
      hung.push({ kind, read, answer: () => ask(prepared) });
    }
    const answers = hung.map(async ({ kind, answer }) => {
      const [settled] = await Promise.allSettled([answer()]);
      return [kind, settled.status === "fulfilled" ? settled.value : String(settled.reason)];
    });
    const late = "TimeSpentError: no answer within 4000 ms";
    expect(Object.fromEntries(await Promise.all(answers))).toEqual({
      react: late,
      compact: undefined,
      answer: expect.objectContaining({ callId: "toolu_1", isError: true, needs: [] }),
      goOn: late,
      keep: false,
    });
    for (const { read } of hung) await expect.poll(async () => (await read("b")).recall).toBeDefined();
  });

  it("is asked nothing about a request that the thread before it has read", async () => {
    const read = readInThread({ file: plantInThread("process.exit(1);") });
    const before = await read("a");
    expect((await read("b", [person("sink")])).incidents).toEqual(["exception"]);
    const after = await read("c");
    before.finish(zeroUsage);
    expect(await after.react(400, OVERFLOW)).toBeDefined();
    expect(await before.react(400, OVERFLOW)).toBeUndefined();
  });
});
