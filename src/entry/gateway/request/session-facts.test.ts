/** If red: the gateway takes an expired cache for a live one and compacts at the wrong price. */
import { describe, expect, it } from "vitest";
import type { Message, Role } from "../../../core/message.ts";
import { zeroUsage } from "../../../core/usage.ts";
import { CACHE_LIFE_MS } from "../../../models/find-model.ts";
import type { SessionFacts } from "../store/gateway-store.ts";
import { advanceFacts, assumeFacts, countOutlived, findNew, isAbout } from "./session-facts.ts";

const MODEL = "claude-sonnet-4-6";
const message = (id: string, role: Role, text = id): Message => ({
  id,
  role,
  blocks: [{ kind: "text", id: `${id}:0`, text, author: role === "assistant" ? "model" : "person" }],
});
const VIEW = [message("u1", "user"), message("a1", "assistant"), message("u2", "user")];
const weigher = { weigh: (messages: readonly Message[]) => messages.length * 100 };
const assume = (view: readonly Message[]): SessionFacts =>
  assumeFacts(view, { model: MODEL, baseBytes: 3_600 }, weigher, 50);

describe("what is assumed of a conversation that was not seen before", () => {
  it("is that system prompt, tools and all before the model's newest answer were just cached", () => {
    expect(assume(VIEW)).toEqual({
      cache: {
        model: MODEL,
        cachedTokens: 1_100,
        cached1hTokens: 0,
        cached5mTokens: 1_100,
        ttlMs: CACHE_LIFE_MS.short,
        lastUsedMs: 50,
        share1h: 0,
      },
      requests: 0,
      baseTokens: 1_000,
      lastSentMessage: "u1",
      lastSentHash: "",
      outlived: 0,
    });
  });

  it("is that nothing was cached where the model has not answered yet", () => {
    expect(assume(VIEW.slice(0, 1))).toMatchObject({
      cache: { cachedTokens: 0 },
      baseTokens: 1_000,
      lastSentMessage: "",
    });
  });
});

describe("the first message that was never sent", () => {
  it("is the one behind the last that was sent, and never before the newest answer", () => {
    expect(findNew(VIEW, "u2")).toBe(3);
    expect(findNew(VIEW, "u1")).toBe(1);
    expect(findNew(VIEW, "gone")).toBe(1);
    expect(findNew(VIEW.slice(0, 1), "")).toBe(0);
  });
});

describe("facts after an answer", () => {
  const usage = { ...zeroUsage, inputTokens: 10, cacheReadTokens: 890, cacheWrite5mTokens: 500, outputTokens: 7 };
  const sent = { model: MODEL, atMs: 1_000, usage, messages: VIEW, view: VIEW, viewTokens: 300, outlived: 2 };
  const after = advanceFacts(assume(VIEW), sent);

  it("know the base from what the request weighed", () => {
    expect(after).toMatchObject({ requests: 1, baseTokens: 1_100, lastSentMessage: "u2", outlived: 2 });
    expect(after.cache).toMatchObject({ model: MODEL, lastUsedMs: 1_000 });
    expect(advanceFacts(after, { ...sent, viewTokens: 9_000 }).baseTokens).toBe(0);
  });

  it("keep the base that was known where an answer has no counts", () => {
    expect(advanceFacts(after, { ...sent, usage: zeroUsage }).baseTokens).toBe(1_100);
  });

  it("are about a conversation only while its last message says the same", () => {
    expect(isAbout(after, VIEW)).toBe(true);
    expect(isAbout(after, [...VIEW.slice(0, 2), message("u2", "user", "something else")])).toBe(false);
    expect(isAbout(after, VIEW.slice(0, 2))).toBe(true);
    expect(isAbout({ ...after, lastSentHash: "" }, [message("u2", "user", "something else")])).toBe(true);
  });
});

describe("pauses that were longer than the cache lives", () => {
  const { short, long } = CACHE_LIFE_MS;
  const facts = (oneHourTokens: number): SessionFacts => {
    const assumed = assume(VIEW);
    return { ...assumed, outlived: 4, cache: { ...assumed.cache, cached1hTokens: oneHourTokens } };
  };
  it.each([
    ["five minutes", facts(0), short, 4],
    ["more than five minutes", facts(0), short + 1, 5],
    ["more than five minutes, where the base lives for an hour", facts(700), short + 1, 4],
    ["more than an hour", facts(700), long + 1, 5],
  ])("are counted: %s", (_name, known, pauseMs, outlived) => {
    expect(countOutlived(known, 50 + pauseMs, MODEL)).toBe(outlived);
  });

  it("are not counted for another model, nor where nothing was cached", () => {
    expect(countOutlived(facts(0), 50 + long * 2, "claude-opus-5")).toBe(4);
    expect(countOutlived({ ...facts(0), cache: assume(VIEW.slice(0, 1)).cache }, 50 + long * 2, MODEL)).toBe(4);
  });
});
