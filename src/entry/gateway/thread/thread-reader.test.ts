/** If red: a failure in the reading thread costs a request, or has no name in the metrics. */
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { person, renderBody, type SentMessage, toolLoop } from "../../../../test/gateway/conversation.ts";
import { atEnd, createFolder } from "../../../../test/gateway/open-gateway.ts";
import { hangThreadAt, plantInThread, readApart } from "../../../../test/gateway/thread.ts";
import { zeroUsage } from "../../../core/usage.ts";
import type { Prepared } from "../prepared.ts";
import { createThreadReader } from "./thread-reader.ts";
import type { ThreadStart } from "./thread-words.ts";

const OVERFLOW = JSON.stringify({
  type: "error",
  error: { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" },
});
const SENDER = { user: "", headers: {} };
const HISTORY = toolLoop(4, 300);

function openReader(more: { file?: string; stuckMs?: number; start?: Partial<ThreadStart> } = {}) {
  const folder = createFolder();
  const { file, settings } = readApart(folder, more.file === undefined ? {} : { file: more.file });
  const used = new Float64Array(new SharedArrayBuffer(16));
  const start = { ...settings, budgetMs: 120_000, maxRememberedBytes: 1 << 20, used, ...more.start };
  const failedOperations: string[] = [];
  const onStoreError = (operation: string): void => void failedOperations.push(operation);
  const reader = createThreadReader({ file, start, stuckMs: more.stuckMs, onStoreError });
  atEnd(() => reader.close());
  const read = (body: string) => reader.read(Buffer.from(body), SENDER, { purpose: "messages" });
  const prepare = async (said: readonly SentMessage[] = []): Promise<Prepared> =>
    (await read(renderBody([...HISTORY, ...said]))).prepared;
  return { folder, used, failedOperations, reader, read, prepare };
}

const join = ({ pieces }: Pick<Prepared, "pieces">): string => String(Buffer.concat(pieces));

describe("a body that another thread reads", () => {
  it("is sent lighter, lighter again after an overflow, and what was removed comes back", async () => {
    const { reader, prepare } = openReader();
    const prepared = await prepare();
    const { session, model, isCompaction, edits, incidents, recall } = prepared;
    expect({ model, isCompaction, incidents }).toEqual({
      model: "claude-sonnet-4-6",
      isCompaction: false,
      incidents: [],
    });
    expect([session.length, edits.length, recall?.wire.route]).toEqual([32, 1, "messages"]);
    expect(await prepared.react(400, "{}")).toBeUndefined();
    const lighter = await prepared.react(400, OVERFLOW);
    if (!lighter) throw new Error("nothing was removed after an overflow");
    expect(join(lighter).length).toBeLessThan(join(prepared).length);
    expect(lighter.recall?.tool).toBe(recall?.tool);
    const [handle = ""] = /plimsoll:[0-9a-f]{12}/.exec(join(prepared)) ?? [];
    const asked = { callId: "toolu_1", input: { handle }, at: 0 };
    const call = await recall?.answer(asked);
    expect(call).toMatchObject({ ...asked, tool: recall?.tool, isError: false });
    const longer = await recall?.goOn([Buffer.from('{"role":"user","content":"more"}')]);
    expect(JSON.parse(join({ pieces: longer ?? [] })).messages.at(-1)).toEqual({ role: "user", content: "more" });
    expect(await recall?.keep([{ shown: [], calls: call ? [call] : [] }])).toBe(true);
    expect([reader.figures().sessions, reader.lost(), reader.expectedMs(1)]).toEqual([1, 0, 0]);
    reader.forget();
    await expect.poll(() => reader.figures().sessions).toBe(0);
    // After its answer there are no further questions about a request.
    prepared.finish(zeroUsage);
    expect(await recall?.answer(asked)).toEqual({
      ...asked,
      tool: recall?.tool,
      parts: [{ kind: "text", text: "Recall failed: there is nothing to fetch back for this request" }],
      isError: true,
      needs: [],
    });
    expect(await recall?.keep([])).toBe(false);
  });

  it("is answered with bytes where it asks for a compaction", async () => {
    const { prepare } = openReader({ start: { compaction: "answer" } });
    const question = person("CRITICAL: Respond with TEXT ONLY. Your task is to create a detailed summary of it.");
    const { compact } = await prepare([{ role: "assistant", content: "Aye." }, question]);
    const { body, contentType } = (await compact()) ?? {};
    expect([Buffer.isBuffer(body), contentType]).toEqual([true, "application/json"]);
    expect(String(body)).toContain("<summary>");
  });

  it("leaves as it came where it is not understood", async () => {
    const { read } = openReader();
    const { prepared, unread } = await read("[]");
    expect([join(prepared), unread, prepared.incidents]).toEqual(["[]", "body", []]);
  });

  it("has each failure of the thread's store reported by name", async () => {
    const { folder, failedOperations, reader, prepare } = openReader();
    expect(await reader.isRunning()).toBe(true);
    rmSync(path.join(folder, "sessions"), { recursive: true, force: true });
    writeFileSync(path.join(folder, "sessions"), "in the way");
    expect((await prepare()).incidents).toEqual(["away"]);
    expect(failedOperations).toEqual(["hold_ledger"]);
  });

  it("waits here while as much as may be in memory twice is with the thread", async () => {
    const { reader } = openReader();
    const large = Buffer.alloc(33 * 2 ** 20, " ");
    const readLarge = () => reader.read(large, SENDER, { purpose: "messages" });
    await readLarge();
    const both = [readLarge(), readLarge()];
    expect(reader.figures().slicesWaiting).toBe(1);
    expect(reader.expectedMs(large.length)).toBeGreaterThan(0);
    for (const { unread } of await Promise.all(both)) expect(unread).toBe("body");
    expect([reader.figures().slicesWaiting, reader.expectedMs(large.length)]).toEqual([0, 0]);
  });
});

describe("a thread that ends", () => {
  it("costs its bodies nothing but their savings, is followed by another, and its losses stay counted", async () => {
    const { reader, prepare } = openReader({ file: plantInThread("process.exit(1);") });
    const before = await prepare();
    const sink = [{ role: "assistant", content: "Aye." }, person("sink")];
    const sunk = await prepare(sink);
    expect(join(sunk)).toBe(renderBody([...HISTORY, ...sink]));
    expect([sunk.incidents, sunk.session, sunk.recall]).toEqual([["exception"], "", undefined]);
    expect(sunk.planMs).toBeGreaterThan(0);
    expect(reader.figures()).toEqual({ sessions: 0, bytes: 0, slicesWaiting: 0, memoryWaiting: 0, lost: 0 });
    const [again, at] = [await prepare(), await reader.isRunning()];
    expect([at, join(again)]).toEqual([true, join(before)]);
    // It has not read what the one before it has read.
    expect(await before.react(400, OVERFLOW)).toBeUndefined();
    expect(await again.react(400, OVERFLOW)).toBeDefined();
  });

  it("is not running, and neither is one without a program", async () => {
    const { reader, read } = openReader({ file: path.join(createFolder(), "missing.cjs") });
    expect(await reader.isRunning()).toBe(false);
    const { prepared, unread } = await read(renderBody(HISTORY));
    expect([prepared.incidents, unread]).toEqual([["exception"], undefined]);
  });

  it("is ended where it hangs, and the next body has another", async () => {
    const { prepare } = openReader({ file: hangThreadAt("keep"), stuckMs: 3_000 });
    let prepared = await prepare();
    // On a busy machine it may not have started in time.
    while (!prepared.recall) prepared = await prepare();
    expect(await prepared.recall.keep([])).toBe(false);
    await expect.poll(async () => (await prepare()).recall).toBeDefined();
  });

  it("starts a second after the gateway, before it is needed, and never once that is closed", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const file = path.join(createFolder(), "begun.cjs");
    writeFileSync(file, 'require("node:worker_threads").workerData.used[1] = 1;');
    const [one, other] = [openReader({ file, stuckMs: 10 }), openReader({ file })];
    await other.reader.close();
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(999);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    await expect.poll(() => one.used[1]).toBe(1);
    expect(other.used[1]).toBe(0);
  });
});
