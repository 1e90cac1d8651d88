/** If red: a request that another thread reads is sent with other bytes. */
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { MessageChannel } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import { person, renderBody, toolLoop } from "../../../../test/gateway/conversation.ts";
import { createFolder } from "../../../../test/gateway/open-gateway.ts";
import { zeroUsage } from "../../../core/usage.ts";
import { createBodyPool } from "../http/body-pool.ts";
import { createSlices } from "../http/slices.ts";
import { createRequestPlanner } from "../plan-request.ts";
import { createRequestPreparer } from "../prepare-request.ts";
import { describeShown } from "../recall/restore-recalls.ts";
import { createFileStore } from "../store/file-store.ts";
import { serveReading } from "./reading-thread.ts";
import { joinPieces, type Reply, type ThreadCalls, type ThreadStart, type TransferredRead } from "./thread-words.ts";

const OVERFLOW = JSON.stringify({
  type: "error",
  error: { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" },
});
const SENDER = { user: "", headers: {} };
const BUDGET_MS = 120_000;

type Answer = Exclude<Reply, { readonly kind: "storeError" }>;

/** What a thread does, at the other end of the same kind of port. */
async function openThread(more: Partial<ThreadStart> = {}) {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const folder = createFolder();
  const used = new Float64Array(new SharedArrayBuffer(16));
  const settings = {
    store: folder,
    planner: {},
    compaction: "pass",
    baseLife: undefined,
    memoryBytes: undefined,
  } as const;
  await serveReading({ ...settings, budgetMs: BUDGET_MS, maxRememberedBytes: 1 << 24, used, ...more }, port2);
  const pending = new Map<number, (answer: Answer) => void>();
  const failedOperations: string[] = [];
  port1.on("message", (reply: Reply) => {
    if (reply.kind === "storeError") failedOperations.push(reply.operation);
    else pending.get(reply.call)?.(reply);
  });
  let last = 0;
  const ask = <Kind extends keyof ThreadCalls>(kind: Kind, ...given: Parameters<ThreadCalls[Kind]>): Promise<Answer> =>
    new Promise((resolve) => {
      pending.set(++last, resolve);
      port1.postMessage({ call: last, kind, given });
    });
  const get = async <Kind extends keyof ThreadCalls>(kind: Kind, ...given: Parameters<ThreadCalls[Kind]>) => {
    const answer = await ask(kind, ...given);
    if (answer.kind === "failed") throw new Error(answer.why);
    return answer.value as Awaited<ReturnType<ThreadCalls[Kind]>>;
  };
  return { folder, used, failedOperations, ask, get };
}

const HISTORY = toolLoop(6, 300);
const BODY = Buffer.from(renderBody(HISTORY));
const asMessages = { purpose: "messages", route: "messages" } as const;

function join({ pieces }: Pick<TransferredRead, "pieces">, body: Buffer): string {
  return String(Buffer.concat(joinPieces(pieces, body)));
}

describe("what the other thread is asked", () => {
  it("is read as in the thread that serves, byte for byte, and so is what is sent after an overflow", async () => {
    const { get } = await openThread();
    const store = createFileStore({ folder: createFolder() });
    const here = createRequestPreparer({
      ...{ store, planner: createRequestPlanner(), slices: createSlices(), pool: createBodyPool() },
      ...{ nowMs: Date.now, budgetMs: BUDGET_MS, compaction: "pass" },
    });
    const expected = await here.prepare(BODY, SENDER, { purpose: "messages" });
    const { of, pieces, tool, planMs, unread, ...facts } = await get("read", BODY, SENDER, asMessages);
    expect(join({ pieces }, BODY)).toBe(String(Buffer.concat(expected.pieces)));
    expect([planMs > 0, unread, tool]).toEqual([true, undefined, expected.recall?.tool]);
    expect(expected).toMatchObject(facts);
    expect(Object.keys(facts).sort()).toEqual(
      "dropped edits incidents isCompaction model replayed session tokensAfter tokensBefore".split(" "),
    );
    // Bytes that the other thread has are named by their place, and not sent back.
    const sent = pieces.reduce((sum, piece) => sum + (piece instanceof Uint8Array ? piece.length : 0), 0);
    expect(sent).toBeLessThan(join({ pieces }, BODY).length / 2);
    const lighter = await get("react", of, 413, OVERFLOW);
    const lighterHere = await expected.react(413, OVERFLOW);
    if (!lighter || !lighterHere) throw new Error("nothing was removed after an overflow");
    expect(lighter.of).not.toBe(of);
    expect(join(lighter, BODY)).toBe(String(Buffer.concat(lighterHere.pieces)));
  });

  it("fetches back what was removed, goes on with it, and keeps it for the next request", async () => {
    const { get } = await openThread();
    const { of, pieces, tool = "" } = await get("read", BODY, SENDER, asMessages);
    const [handle = ""] = /plimsoll:[0-9a-f]{12}/.exec(join({ pieces }, BODY)) ?? [];
    const asked = { callId: "toolu_back", input: { handle }, at: 0 };
    const call = await get("answer", of, asked);
    expect(call).toMatchObject({ ...asked, tool, isError: false });
    expect(JSON.stringify(call.parts)).toContain("compute the draught of the hull");
    const addition = Buffer.from('{"role":"user","content":"and more"}');
    const longer = join({ pieces: await get("goOn", of, [addition]) }, BODY);
    expect(JSON.parse(longer).messages.at(-1)).toEqual({ role: "user", content: "and more" });
    const shown = [describeShown({ kind: "text", id: "", text: "Aye.", author: "model" })];
    expect(
      await get("keep", of, [
        { shown: [], calls: [call] },
        { shown, calls: [] },
      ]),
    ).toBe(true);
    const body = Buffer.from(renderBody([...HISTORY, { role: "assistant", content: "Aye." }, person("On.")]));
    const next = JSON.parse(join(await get("read", body, SENDER, asMessages), body)).messages;
    expect(next.slice(-4)).toMatchObject([
      { role: "assistant", content: [{ type: "tool_use", id: "toolu_back", name: tool, input: { handle } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_back" }] },
      { role: "assistant" },
      { role: "user" },
    ]);
  });

  it("answers a compaction where that is set, and nothing where it is none", async () => {
    const { get } = await openThread({ compaction: "answer" });
    const question = person("CRITICAL: Respond with TEXT ONLY. Your task is to create a detailed summary of it.");
    const body = Buffer.from(renderBody([...HISTORY, { role: "assistant", content: "Aye." }, question]));
    const { of, isCompaction } = await get("read", body, SENDER, asMessages);
    expect(isCompaction).toBe(true);
    const answer = await get("compact", of);
    expect(String(Buffer.from(answer?.body ?? ""))).toContain("<summary>");
    expect(await get("compact", of + 1)).toBeUndefined();
  });

  it("reads each API's requests by their route, and says what it could not read", async () => {
    const { get } = await openThread();
    const input = [{ type: "message", role: "user", content: [{ type: "input_text", text: "Aye?" }] }];
    const body = Buffer.from(JSON.stringify({ model: "gpt-5", input }));
    const preparing = { purpose: "messages", route: "responses" } as const;
    expect(await get("read", body, SENDER, preparing)).toMatchObject({ model: "gpt-5", unread: undefined });
    expect(await get("read", body, SENDER, asMessages)).toMatchObject({ model: "", session: "", unread: "body" });
  });

  it.each<["finish" | "release", (of: number) => Parameters<ThreadCalls["finish"]> | [number]]>([
    ["finish", (of) => [of, { ...zeroUsage, inputTokens: 900 }]],
    ["release", (of) => [of]],
  ])("knows a request no more after %s", async (kind, given) => {
    const { ask, get } = await openThread();
    const { of } = await get("read", BODY, SENDER, asMessages);
    expect(await ask(kind, ...(given(of) as [number, never]))).toMatchObject({ kind: "done", value: undefined });
    expect(await get("react", of, 413, OVERFLOW)).toBeUndefined();
    const gone = { kind: "failed", isUnexpanded: false, why: "there is nothing to fetch back for this request" };
    for (const asked of [
      ask("answer", of, { callId: "c", input: {}, at: 0 }),
      ask("goOn", of, []),
      ask("keep", of, []),
    ])
      expect(await asked).toMatchObject(gone);
  });

  it("is what its answer cost, which the next plan knows", async () => {
    const { folder, get } = await openThread();
    const { of, session } = await get("read", BODY, SENDER, asMessages);
    await get("finish", of, { ...zeroUsage, inputTokens: 90_000 });
    await get("close");
    const facts = await createFileStore({ folder }).readFacts(session);
    expect(facts).toMatchObject({ requests: 1 });
    expect(facts?.baseTokens).toBeGreaterThan(50_000);
  });
});

describe("what the thread reports", () => {
  it("is what it remembers, until it is to forget, and the memory that it uses", async () => {
    const { used, ask, get } = await openThread();
    for (const name of ["a", "b", "c"])
      await get(
        "read",
        Buffer.from(renderBody(HISTORY, { metadata: { user_id: `user_session_${name}` } })),
        SENDER,
        asMessages,
      );
    const { figures } = await ask("release", 0);
    expect(figures).toMatchObject({ sessions: 3, slicesWaiting: 0, memoryWaiting: 0, lost: 0 });
    expect(figures.bytes).toBeGreaterThan(3 * BODY.length * 0.99);
    expect((await ask("forget")).figures.sessions).toBe(1);
    expect([used[0], (used[1] ?? 0) > 1e6]).toEqual([0, true]);
  });

  it("is each failure of its store by name, and the request goes on unchanged", async () => {
    const { folder, failedOperations, get } = await openThread();
    rmSync(path.join(folder, "sessions"), { recursive: true, force: true });
    writeFileSync(path.join(folder, "sessions"), "in the way");
    const read = await get("read", BODY, SENDER, asMessages);
    expect(join(read, BODY)).toBe(String(BODY));
    expect(read.incidents).toEqual(["away"]);
    expect(failedOperations).toEqual(["hold_ledger"]);
  });
});
