/** If red: two requests of one conversation run at once and decide differently. */
import { describe, expect, it } from "vitest";
import { person, renderBody, type SentMessage, toolLoop } from "../../../test/gateway/conversation.ts";
import { createFolder } from "../../../test/gateway/open-gateway.ts";
import { zeroUsage } from "../../core/usage.ts";
import { createBodyPool } from "./http/body-pool.ts";
import { createSlices } from "./http/slices.ts";
import { createRequestPlanner } from "./plan-request.ts";
import { createRequestPreparer, createSessionQueue, type Preparing } from "./prepare-request.ts";
import type { Prepared } from "./prepared.ts";
import { createFileStore } from "./store/file-store.ts";
import type { GatewayStore } from "./store/gateway-store.ts";

const OVERFLOW = JSON.stringify({
  type: "error",
  error: { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" },
});
const HISTORY = toolLoop(5, 300);
const MINUTE_MS = 60_000;
const QUESTION = person("CRITICAL: Respond with TEXT ONLY. Your task is to create a detailed summary of it.");

type Options = Omit<Partial<Parameters<typeof createRequestPreparer>[0]>, "store"> & { store?: Partial<GatewayStore> };

function open({ store, ...more }: Options = {}, folder = createFolder()) {
  const state = { nowMs: 1_000_000 };
  const files = createFileStore({ folder });
  const preparer = createRequestPreparer({
    ...{ planner: createRequestPlanner(), slices: createSlices(), pool: createBodyPool(), nowMs: () => state.nowMs },
    ...{ budgetMs: 120_000, compaction: "pass", ...more, store: { ...files, ...store } },
  });
  const read = (body: string, preparing: Partial<Preparing> = {}): Promise<Prepared> =>
    preparer.prepare(Buffer.from(body), { user: "", headers: {} }, { purpose: "messages", ...preparing });
  const prepare = (end: number, fields: object = {}, preparing: Partial<Preparing> = {}): Promise<Prepared> =>
    read(renderBody(HISTORY.slice(0, end), { ...fields }), preparing);
  return { folder, files, preparer, state, read, prepare };
}

const join = ({ pieces }: Pick<Prepared, "pieces">): string => String(Buffer.concat([...pieces]));
const messagesOf = (prepared: Pick<Prepared, "pieces">): readonly SentMessage[] =>
  JSON.parse(join(prepared).replaceAll(',"cache_control":{"type":"ephemeral"}', "")).messages;

describe("a conversation, request by request", () => {
  it("is made lighter as it grows, and what was sent before stays as it was sent", async () => {
    const { preparer, prepare } = open();
    let before: readonly SentMessage[] = [];
    for (const [end, replayed, edits] of [
      [1, 0, 0],
      [3, 0, 1],
      [5, 1, 1],
      [7, 2, 1],
    ] as const) {
      const prepared = await prepare(end);
      expect(prepared).toMatchObject({ replayed, dropped: 0, incidents: [], isCompaction: false });
      expect([prepared.edits.length, prepared.recall !== undefined]).toEqual([edits, end > 1]);
      expect(prepared.tokensBefore > prepared.tokensAfter).toBe(end > 1);
      const sent = messagesOf(prepared);
      expect(sent.slice(0, before.length)).toEqual(before);
      expect(sent).toHaveLength(end);
      before = sent;
    }
    expect(preparer.remembered().sessions).toBe(1);
    preparer.forget();
    expect(preparer.remembered().sessions).toBe(0);
    expect(messagesOf(await prepare(7))).toEqual(before);
  });

  it("goes on at another instance as it went on here, and drops what no longer applies", async () => {
    const first = open();
    const sent = messagesOf(await first.prepare(5));
    const second = open({}, first.folder);
    const prepared = await second.prepare(7);
    expect(messagesOf(prepared).slice(0, 5)).toEqual(sent);
    expect([prepared.replayed, prepared.dropped]).toEqual([1, 0]);
    const other = HISTORY.map((message, at) =>
      at === 4 ? JSON.parse(JSON.stringify(message).replace("hull", "keel")) : message,
    );
    const changed = await open({}, first.folder).read(renderBody(other.slice(0, 7)));
    expect([changed.dropped, changed.replayed]).toEqual([1, 1]);
    expect(messagesOf(changed)[4]).toEqual(other[4]);
  });

  it("goes on as it went on where the store takes a moment to say what was decided", async () => {
    const first = open();
    const sent = messagesOf(await first.prepare(5));
    const { files } = first;
    const slow: Partial<GatewayStore> = {
      holdLedger: async (...asked) => {
        await new Promise((resolve) => setTimeout(resolve, 30));
        return files.holdLedger(...asked);
      },
    };
    expect(messagesOf(await open({ store: slow }, first.folder).prepare(5))).toEqual(sent);
  });

  it.each<[string, object, Partial<Preparing>]>([
    ["that is only counted", {}, { purpose: "count" }],
    ["without tools", { tools: undefined }, {}],
    ["that must call a certain tool", { tool_choice: { type: "tool", name: "Bash" } }, {}],
  ])("is sent whole where it is one %s", async (_name, fields, preparing) => {
    const { preparer, files, prepare } = open();
    const prepared = await prepare(5, fields, preparing);
    expect(join(prepared)).toBe(renderBody(HISTORY.slice(0, 5), { ...fields }));
    expect(prepared).toMatchObject({ edits: [], recall: undefined, tokensBefore: 0, tokensAfter: 0, incidents: [] });
    expect((await files.readLedger(prepared.session)).decisions).toEqual([]);
    expect(preparer.remembered().sessions).toBe(preparing.purpose === "count" ? 0 : 1);
  });

  it.each<["1h" | "client" | "price" | undefined, number, boolean]>([
    ["1h", 0, true],
    ["client", 3 * 6 * MINUTE_MS, false],
    ["price", 0, false],
    [undefined, 3 * 6 * MINUTE_MS, true],
  ])("has its base cached for an hour by %s after pauses of %i ms: %s", async (baseLife, pausedMs, isLong) => {
    const { state, prepare } = open({ baseLife });
    let sent = "";
    for (const end of [3, 5, 7, 9]) {
      const prepared = await prepare(end);
      sent = join(prepared);
      prepared.finish({ ...zeroUsage, cacheWrite5mTokens: 20_000, inputTokens: 10 });
      state.nowMs += pausedMs / 3;
    }
    expect(sent.includes('"cache_control":{"type":"ephemeral","ttl":"1h"}')).toBe(isLong);
  });
});

describe("what comes of an answer", () => {
  it("is what the next plan knows, and an instance that comes later", async () => {
    const { files, prepare } = open();
    const prepared = await prepare(5);
    prepared.finish({ ...zeroUsage, inputTokens: 30_000 });
    const facts = await files.readFacts(prepared.session);
    expect(facts).toMatchObject({
      requests: 1,
      outlived: 0,
      cache: { model: "claude-sonnet-4-6", lastUsedMs: 1_000_000 },
    });
    expect(facts?.baseTokens).toBeGreaterThan(20_000);
    (await prepare(7)).finish({ ...zeroUsage, inputTokens: 30_000 });
    expect((await files.readFacts(prepared.session))?.requests).toBe(2);
    const ahead = await prepare(9, {}, { usage: { ...zeroUsage, inputTokens: 40_000 } });
    expect((await files.readFacts(ahead.session))?.requests).toBe(3);
    (await prepare(9, {}, { purpose: "count" })).finish({ ...zeroUsage, inputTokens: 1 });
    expect((await files.readFacts(ahead.session))?.requests).toBe(3);
  });

  it("is a lighter request after an overflow, once, and nothing after another error", async () => {
    const { prepare } = open();
    const prepared = await prepare(9);
    expect(await prepared.react(400, '{"error":{"message":"bad"}}')).toBeUndefined();
    const lighter = await prepared.react(400, OVERFLOW);
    if (!lighter) throw new Error("nothing was removed after an overflow");
    expect(join(lighter).length).toBeLessThan(join(prepared).length);
    expect(lighter.edits.slice(0, prepared.edits.length)).toEqual(prepared.edits);
    expect(lighter.edits.length).toBeGreaterThan(prepared.edits.length);
    expect(lighter.tokensAfter).toBeLessThan(prepared.tokensAfter);
    const next = await prepare(11);
    expect(messagesOf(next).slice(0, messagesOf(lighter).length)).toEqual(messagesOf(lighter));
  });
});

describe("a client's own compaction", () => {
  const body = renderBody([...HISTORY, { role: "assistant", content: "Aye." }, QUESTION]);

  it.each(["pass", "trim"] as const)(
    "decides nothing for later, and is lighter only where that is set: %s",
    async (compaction) => {
      const { preparer, files, prepare, read } = open({ compaction });
      await prepare(9);
      const { sessions } = preparer.remembered();
      const prepared = await read(body);
      const { decisions } = await files.readLedger(prepared.session);
      expect([prepared.isCompaction, prepared.edits.length, decisions.length]).toEqual([true, 0, prepared.replayed]);
      const sent = messagesOf(prepared);
      expect(sent.at(-1)).toMatchObject(QUESTION);
      expect(JSON.stringify(sent).length < body.length / 4).toBe(compaction === "trim");
      expect(preparer.remembered().sessions).toBe(sessions);
    },
  );

  it("is answered where the history can be kept, and not otherwise", async () => {
    const answer = await (await open({ compaction: "answer" }).read(body)).compact();
    expect(JSON.parse(String(answer?.body)).content[0].text).toMatch(
      /^<summary>\n(?:.*\n)*.*plimsoll:[0-9a-f]{12}\.\n<\/summary>$/,
    );
    const keepOriginals = () => Promise.reject(new Error("full"));
    const { compact } = await open({ compaction: "answer", store: { keepOriginals } }).read(body);
    expect(await compact()).toBeUndefined();
  });
});

describe("what keeps a request from being decided", () => {
  const never = () => Promise.reject(new Error("away"));
  const lost = async () => undefined;
  const held = (files: GatewayStore): Partial<GatewayStore> => ({
    holdLedger: async (session, known) => ({ ...(await files.holdLedger(session, known)), isHeld: false }),
  });

  it.each<[string, (files: GatewayStore) => Partial<GatewayStore>, string]>([
    ["cannot be asked", () => ({ holdLedger: never }), "away"],
    ["is held by another instance", held, "store"],
    ["takes no originals", () => ({ keepOriginals: never }), "store"],
    ["takes no decisions", () => ({ appendDecisions: never }), "store"],
    ["has another instance ahead each time", () => ({ appendDecisions: lost }), "store"],
  ])("is a store that %s; what was decided before is still done", async (_name, fault, incident) => {
    const first = open();
    const before = messagesOf(await first.prepare(5));
    const files = createFileStore({ folder: first.folder });
    const second = open({ store: fault(files) }, first.folder);
    const prepared = await second.prepare(7);
    expect([prepared.incidents, prepared.edits]).toEqual([[incident], []]);
    const sent = messagesOf(prepared);
    // Without the past it is sent as it came.
    expect(sent.slice(0, 5)).toEqual(incident === "away" ? HISTORY.slice(0, 5) : before);
    expect(sent.slice(5)).toEqual(HISTORY.slice(5, 7));
  });

  it("is asked of the store three times, each time after a look at what others have decided", async () => {
    const asked: string[] = [];
    const files = createFileStore({ folder: createFolder() });
    const { prepare } = open({
      store: {
        appendDecisions: async () => void asked.push("append"),
        readLedger: async (session, known) => {
          asked.push("read");
          return files.readLedger(session, known);
        },
      },
    });
    await prepare(5);
    expect(asked).toEqual(["append", "read", "append", "read", "append"]);
  });

  it("is waited for where others may have decided, and not where all is known", async () => {
    let isAway = false;
    let asked = 0;
    const folder = createFolder();
    const files = createFileStore({ folder });
    const { prepare } = open(
      {
        store: {
          holdLedger: async (...given) => {
            asked++;
            return isAway ? never() : files.holdLedger(...given);
          },
          isAway: () => true,
        },
      },
      folder,
    );
    await prepare(5);
    isAway = true;
    for (const [end, times] of [
      [7, 1],
      [11, 2],
    ] as const) {
      asked = 0;
      await prepare(end);
      expect(asked >= times && (times > 1 || asked === 1), `${end}: ${asked}`).toBe(true);
    }
  });

  it("is not the store before the model's first answer, which is not asked at all", async () => {
    expect(await open({ store: { holdLedger: never, readLedger: never } }).prepare(1)).toMatchObject({ incidents: [] });
  });

  it("is time: none left, or too much spent in waiting for others", async () => {
    expect(await open({ budgetMs: -1 }).prepare(5)).toMatchObject({ incidents: ["budget"], edits: [] });
    expect(await open().prepare(5, {}, { queuedMs: 501 })).toMatchObject({ incidents: ["budget"], edits: [] });
    expect(await open().prepare(5, {}, { queuedMs: 400 })).toMatchObject({ incidents: [] });
  });

  it("is a body that nobody understands, of which nothing is remembered", async () => {
    const { preparer, read } = open();
    const prepared = await read("[]");
    expect(prepared).toMatchObject({ session: "", model: "", incidents: [], pieces: [Buffer.from("[]")] });
    expect(preparer.remembered()).toEqual({ sessions: 0, bytes: 0 });
  });
});

it("has a conversation's requests wait for each other, also for one that fails, and others not", async () => {
  const inTurn = createSessionQueue();
  const done: string[] = [];
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const note = (name: string) => async (): Promise<void> => void done.push(name);
  const first = inTurn("a", async () => {
    await gate;
    done.push("first");
    throw new Error("no");
  });
  const second = inTurn("a", note("second"));
  await inTurn("b", note("other"));
  expect(done).toEqual(["other"]);
  open();
  await expect(first).rejects.toThrow("no");
  await second;
  expect(done).toEqual(["other", "first", "second"]);
});
