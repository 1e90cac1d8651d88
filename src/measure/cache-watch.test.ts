import { expect, test } from "vitest";
import { usage } from "../../test/support/session-events.ts";
import { FIVE_MINUTES_MS, ONE_HOUR_MS } from "./cache-miss.ts";
import { type CacheRequest, followCache } from "./cache-watch.ts";

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
  expect(cached).toEqual({ stepId: "s1", model: first.model, usage: first.usage, atMs: 0, ttlMs: FIVE_MINUTES_MS });
});

test("a miss says which request it was, and when", () => {
  const { cached } = followCache(undefined, first);
  const { miss } = followCache(cached, { ...first, stepId: "s2", atMs: FIVE_MINUTES_MS + 1 });
  expect(miss).toMatchObject({ stepId: "s2", atMs: FIVE_MINUTES_MS + 1, cause: "idle", missedTokens: 50_000 });
});

test("the life time that was written last counts", () => {
  const hourly = followCache(undefined, { ...first, usage: usage({ write1h: 50_000, write5m: 1 }) }).cached;
  expect(hourly.ttlMs).toBe(ONE_HOUR_MS);
  const short = followCache(hourly, { ...first, usage: usage({ read: 50_001, write5m: 10 }) }).cached;
  expect(short.ttlMs).toBe(FIVE_MINUTES_MS);
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
