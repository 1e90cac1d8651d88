/** If red: a person is shown cache misses that did not happen, or not what a real one cost. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { usage } from "../../test/support/session-events.ts";
import { sumContextTokens } from "../core/usage.ts";
import { CACHE_LIFE_MS } from "../models/find-model.ts";
import { CACHE_MISS_CAUSES, type CachedRequest, type CacheRequest, findCacheMiss, followCache } from "./cache-miss.ts";

const { short: FIVE_MINUTES_MS, long: ONE_HOUR_MS } = CACHE_LIFE_MS;
const OPUS = "claude-opus-5";

const before: CachedRequest = {
  stepId: "s1",
  model: OPUS,
  usage: usage({ read: 90_000, write5m: 10_000 }),
  atMs: 0,
  ttlMs: FIVE_MINUTES_MS,
};

/** The next request, which sends the 100,000 tokens of the one before and 2,000 more, and finds nothing of them cached. */
const cold: CacheRequest = {
  stepId: "s2",
  model: OPUS,
  usage: usage({ write5m: 102_000 }),
  atMs: 1000,
  followsCompaction: false,
};

describe("a request that merely grows", () => {
  it("misses nothing, whatever it adds", () => {
    for (const written of [1, 2000, 500_000])
      expect(findCacheMiss(before, { ...cold, usage: usage({ read: 100_000, write5m: written }) })).toBeUndefined();
  });

  it("misses nothing as long as it reads half of what was sent before", () => {
    const reading = (read: number) =>
      findCacheMiss(before, { ...cold, usage: usage({ read, write5m: 102_000 - read }) });
    expect(reading(50_000)).toBeUndefined();
    expect(reading(49_999)?.missedTokens).toBe(100_000 - 49_999);
  });

  it("misses nothing when nothing was sent before", () => {
    expect(findCacheMiss({ ...before, usage: usage({}) }, cold)).toBeUndefined();
  });

  it("misses nothing after a compaction that kept no more than what was read", () => {
    const next = { ...cold, followsCompaction: true, usage: usage({ read: 24_000 }) };
    expect(findCacheMiss(before, next)).toBeUndefined();
  });
});

describe("a miss", () => {
  it("counts the tokens that would have been read, and not what is new", () => {
    expect(findCacheMiss(before, cold)?.missedTokens).toBe(100_000);
    expect(findCacheMiss(before, { ...cold, usage: usage({ read: 20_000, write5m: 82_000 }) })?.missedTokens).toBe(
      80_000,
    );
  });

  it("counts after a compaction only what was really sent again", () => {
    const next = { ...cold, followsCompaction: true, usage: usage({ read: 24_000, write5m: 20_000 }) };
    expect(findCacheMiss(before, next)).toMatchObject({ cause: "compaction", missedTokens: 20_000 });
  });

  it.each([
    ["compaction", { followsCompaction: true, model: "claude-sonnet-5", atMs: 10 * ONE_HOUR_MS }],
    ["modelSwitch", { model: "claude-sonnet-5", atMs: 10 * ONE_HOUR_MS }],
    ["idle", { atMs: FIVE_MINUTES_MS + 1 }],
    ["unknown", { atMs: FIVE_MINUTES_MS }],
    ["unknown", { atMs: undefined }],
    ["editedPrefix", { usage: usage({ read: 20_000, write5m: 82_000 }) }],
    ["idle", { usage: usage({ read: 20_000, write5m: 82_000 }), atMs: FIVE_MINUTES_MS + 1 }],
  ] as const)("is called %s for %j", (cause, difference) => {
    expect(findCacheMiss(before, { ...cold, ...difference })?.cause).toBe(cause);
  });

  it("is idle only beyond the life time that was written", () => {
    const hourly = { ...before, ttlMs: ONE_HOUR_MS };
    const causeAt = (atMs: number) => findCacheMiss(hourly, { ...cold, atMs })?.cause;
    expect(causeAt(FIVE_MINUTES_MS + 1)).toBe("unknown");
    expect(causeAt(ONE_HOUR_MS)).toBe("unknown");
    expect(causeAt(ONE_HOUR_MS + 1)).toBe("idle");
  });

  it("is not called idle when nobody knows the time of the request before", () => {
    expect(findCacheMiss({ ...before, atMs: undefined }, { ...cold, atMs: ONE_HOUR_MS })?.cause).toBe("unknown");
  });

  it("costs the difference between writing and reading, at the life time that was written", () => {
    expect(findCacheMiss(before, cold)?.extraUsd).toBeCloseTo((100_000 * (6.25 - 0.5)) / 1e6, 9);
    const hourly = { ...cold, usage: usage({ write1h: 102_000 }) };
    expect(findCacheMiss(before, hourly)?.extraUsd).toBeCloseTo((100_000 * (10 - 0.5)) / 1e6, 9);
  });

  it("costs more where the request was served in fast mode", () => {
    const fast = { ...cold, usage: { ...cold.usage, speed: "fast" as const } };
    expect(findCacheMiss(before, fast)?.extraUsd).toBeCloseTo((2 * 100_000 * (6.25 - 0.5)) / 1e6, 9);
  });

  it("costs what the new model asks, at the length of the new prompt", () => {
    const next = { ...cold, model: "claude-haiku-5-5" };
    expect(findCacheMiss(before, next)?.extraUsd).toBeCloseTo((100_000 * (0.625 - 0.05)) / 1e6, 9);
  });

  it("has no price where the model has none", () => {
    expect(findCacheMiss(before, { ...cold, model: "gpt-6" })).toEqual({
      stepId: "s2",
      atMs: 1000,
      cause: "modelSwitch",
      missedTokens: 100_000,
      extraUsd: undefined,
    });
  });
});

it("never counts more than was cached, nor more than was sent again, and names a cause from the list", () => {
  const tokens = fc.nat(300_000);
  const arbitraryUsage = fc.record({ read: tokens, write5m: tokens, write1h: tokens, input: tokens }).map(usage);
  const next = fc.record({
    stepId: fc.constant("s2"),
    model: fc.constantFrom(OPUS, "claude-haiku-5-5", "gpt-6"),
    usage: arbitraryUsage,
    atMs: fc.option(fc.nat(10 * ONE_HOUR_MS), { nil: undefined }),
    followsCompaction: fc.boolean(),
  });
  fc.assert(
    fc.property(arbitraryUsage, next, (sent, request) => {
      const miss = findCacheMiss({ ...before, usage: sent }, request);
      if (!miss) return;
      expect(CACHE_MISS_CAUSES).toContain(miss.cause);
      expect(miss.missedTokens).toBeGreaterThan(0);
      expect(miss.missedTokens).toBeLessThanOrEqual(sumContextTokens(sent));
      expect(miss.missedTokens).toBeLessThanOrEqual(sumContextTokens(request.usage) - request.usage.cacheReadTokens);
      if (miss.extraUsd !== undefined) expect(miss.extraUsd).toBeGreaterThan(0);
    }),
  );
});

const first: CacheRequest = {
  stepId: "s1",
  model: "claude-opus-5",
  atMs: 0,
  usage: usage({ write5m: 50_000 }),
  followsCompaction: false,
};

test("the first request has nothing to miss", () => {
  const { miss, cached } = followCache(undefined, first);
  expect(miss).toBeUndefined();
  const known = { stepId: "s1", model: first.model, usage: first.usage, atMs: 0 };
  expect(cached).toEqual({ ...known, ttlMs: FIVE_MINUTES_MS, hasWritten: false });
});

test("a miss says which request it was, and when", () => {
  const { cached } = followCache(undefined, first);
  const { miss } = followCache(cached, { ...first, stepId: "s2", atMs: FIVE_MINUTES_MS + 1 });
  expect(miss).toMatchObject({ stepId: "s2", atMs: FIVE_MINUTES_MS + 1, cause: "idle", missedTokens: 50_000 });
});

test("the life time that was written last counts", () => {
  const hourly = followCache(undefined, { ...first, usage: usage({ write1h: 50_000 }) }).cached;
  expect(hourly.ttlMs).toBe(ONE_HOUR_MS);
  const short = followCache(hourly, { ...first, usage: usage({ read: 50_001, write5m: 10 }) }).cached;
  expect(short.ttlMs).toBe(FIVE_MINUTES_MS);
});

test("where the base is written for an hour and the conversation for five minutes, the conversation's counts", () => {
  const split = followCache(undefined, { ...first, usage: usage({ write1h: 20_000, write5m: 30_000 }) }).cached;
  const { miss } = followCache(split, { ...first, atMs: 6 * 60_000, usage: usage({ read: 20_000, write5m: 30_000 }) });
  expect(miss).toMatchObject({ cause: "idle", missedTokens: 30_000 });
});

test("a request that wrote nothing keeps alive what was there, for as long again", () => {
  const hourly = followCache(undefined, { ...first, usage: usage({ write1h: 50_000 }) }).cached;
  const onlyRead = followCache(hourly, { ...first, atMs: ONE_HOUR_MS, usage: usage({ read: 50_000 }) });
  expect(onlyRead.miss).toBeUndefined();
  expect(onlyRead.cached).toMatchObject({ ttlMs: ONE_HOUR_MS, atMs: ONE_HOUR_MS });
  const later = followCache(onlyRead.cached, { ...first, atMs: 2 * ONE_HOUR_MS, usage: usage({ write1h: 50_000 }) });
  expect(later.miss?.cause).toBe("unknown");
});

test("a request that neither wrote nor follows one lives five minutes", () => {
  expect(followCache(undefined, { ...first, usage: usage({ input: 10 }) }).cached.ttlMs).toBe(FIVE_MINUTES_MS);
});
