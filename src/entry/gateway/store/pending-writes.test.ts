/** If red: what the gateway learned is not written when it ends, or is lost without being counted. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { emptyCacheState } from "../../../models/economics/cache-state.ts";
import type { JournalEntry, SessionFacts } from "./gateway-store.ts";
import { createPendingWrites, type Pending } from "./pending-writes.ts";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

const facts = (requests: number): SessionFacts => ({
  ...{ cache: emptyCacheState, requests, baseTokens: 0, lastSentMessage: "", lastSentHash: "", outlived: 0 },
});
const ENTRY: JournalEntry = {
  ...{ atMs: 0, session: "", user: "", model: "", route: "", status: 0, bytesIn: 0, bytesOut: 0, edits: 0 },
  ...{ editsByLayer: {}, replayed: 0, dropped: 0, tokensBefore: 0, tokensAfter: 0, planMs: 0, firstByteMs: 0 },
  ...{ durationMs: 0, incidents: [], usage: undefined },
};

/** Takes one fact and all entries at a time, as a folder does. */
function open() {
  const written: unknown[] = [];
  const writes = createPendingWrites(async (pending: Pending, isEnd) => {
    const [first] = pending.facts;
    if (first) pending.facts.delete(first[0]);
    written.push([Date.now(), first?.[0], pending.entries.splice(0).length, isEnd]);
  });
  return { writes, written };
}

it("what nothing waits for is written together half a second later, with a pause where something is left", async () => {
  const { writes, written } = open();
  writes.note(ENTRY);
  writes.note(ENTRY);
  writes.saveFacts("a", facts(1));
  writes.saveFacts("b", facts(2));
  expect([writes.facts("a"), writes.facts("c")]).toEqual([facts(1), undefined]);
  await vi.advanceTimersByTimeAsync(499);
  expect(written).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(written).toEqual([
    [500, "a", 2, false],
    [545, "b", 0, false],
  ]);
  expect([writes.facts("a"), writes.lost(), vi.getTimerCount()]).toEqual([undefined, 0, 0]);
  writes.note(ENTRY);
  await vi.advanceTimersByTimeAsync(500);
  expect(written.length).toBe(3);
});

it("all of it is written at the end, and nothing after that", async () => {
  const { writes, written } = open();
  writes.saveFacts("a", facts(1));
  writes.note(ENTRY);
  await writes.flush();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(written).toEqual([[0, "a", 1, true]]);
});

it("ten thousand entries wait, and more are lost and counted", async () => {
  const { writes, written } = open();
  for (let entry = 0; entry < 10_003; entry++) writes.note(ENTRY);
  expect(writes.lost()).toBe(3);
  await writes.flush();
  expect(written).toEqual([[0, undefined, 10_000, true]]);
});
