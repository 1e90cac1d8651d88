/** If red: a cached prefix is taken for expired or the other way round, and edits are made at the wrong price. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { usage } from "../../../test/support/session-events.ts";
import {
  advanceCacheState,
  type CachedPrefix,
  type CachingRequest,
  countResumedTokens,
  countWarmTokens,
  emptyCacheState,
  isBaseWorthAnHour,
  isCold,
} from "./cache-state.ts";

const MODEL = "claude-opus-5";
const MINUTE = 60_000;

function follow(...requests: readonly Partial<CachingRequest>[]) {
  return requests.reduce(
    (state, request) => advanceCacheState(state, { model: MODEL, atMs: 0, usage: usage({}), ...request }),
    emptyCacheState,
  );
}

describe("what is cached", () => {
  test("is what the last request read or wrote, without the tail behind the last mark", () => {
    const state = follow(
      { usage: usage({ write5m: 20_000, input: 40 }) },
      { usage: usage({ read: 20_000, write5m: 1000, input: 3 }) },
    );
    expect(state).toMatchObject({ cachedTokens: 21_000, cached5mTokens: 21_000, cached1hTokens: 0, share1h: 0 });
  });

  test("is nothing before the first request", () => {
    expect(isCold(emptyCacheState, { nowMs: 0 })).toBe(true);
  });

  test("is only what was found again after the prefix was changed", () => {
    const state = follow({ usage: usage({ write5m: 50_000 }) }, { usage: usage({ read: 9000, write5m: 11_000 }) });
    expect(state.cachedTokens).toBe(20_000);
  });

  test("keeps life times apart, the long one in front", () => {
    const state = follow(
      { usage: usage({ write1h: 10_000 }) },
      { usage: usage({ read: 10_000, write5m: 3000 }) },
      { usage: usage({ read: 12_000, write5m: 500 }) },
    );
    expect(state).toMatchObject({ cached1hTokens: 10_000, cached5mTokens: 2500, ttlMs: 5 * MINUTE, share1h: 0 });
  });

  test("tells at which price the next writing happens", () => {
    expect(follow({ usage: usage({ write1h: 300, write5m: 100 }) }).share1h).toBe(0.75);
    expect(follow({ usage: usage({ write1h: 300 }) }, { usage: usage({ read: 300 }) }).share1h).toBe(1);
  });

  test("counts what another session wrote as living as long as what this one writes", () => {
    expect(follow({ usage: usage({ read: 9000, write1h: 1000 }) }).cached1hTokens).toBe(10_000);
  });

  test("starts over with another model", () => {
    const state = follow({ usage: usage({ write1h: 9000 }) }, { model: "other", usage: usage({ write5m: 9000 }) });
    expect(state).toMatchObject({ model: "other", cached1hTokens: 0, cached5mTokens: 9000 });
  });
});

describe("what is still warm", () => {
  const short = follow({ usage: usage({ write5m: 20_000 }) });
  const long = follow({ usage: usage({ write1h: 20_000 }) });
  const mixed = follow({ usage: usage({ write1h: 8000, write5m: 12_000 }) });

  test.each([
    ["short", short, 5 * MINUTE, 20_000],
    ["short", short, 5 * MINUTE + 1, 0],
    ["long", long, 5 * MINUTE + 1, 20_000],
    ["long", long, 60 * MINUTE, 20_000],
    ["long", long, 60 * MINUTE + 1, 0],
    ["mixed", mixed, 5 * MINUTE, 20_000],
    ["mixed", mixed, 5 * MINUTE + 1, 8000],
    ["mixed", mixed, 60 * MINUTE + 1, 0],
  ])("a %s life %# after %i ms", (_, state, nowMs, tokens) => {
    expect(countWarmTokens(state, nowMs)).toBe(tokens);
    expect(isCold(state, { nowMs })).toBe(tokens < 10_000);
  });

  test("a request in between renews it", () => {
    const used = advanceCacheState(short, { model: MODEL, atMs: 4 * MINUTE, usage: usage({ read: 20_000 }) });
    expect(isCold(used, { nowMs: 8 * MINUTE })).toBe(false);
  });

  test("is a cold conversation, where only the base lives for an hour", () => {
    const at = (baseTokens: number) => isCold(mixed, { nowMs: 6 * MINUTE, baseTokens });
    // 8,000 tokens of 20,000 are warm: all of them base, or half of them, or none.
    expect([at(8000), at(4000), isCold(mixed, { nowMs: 4 * MINUTE, baseTokens: 8000 })]).toEqual([true, true, false]);
    // 12,000 of 22,000 are warm, 8,000 of them base: of the conversation less is warm than has expired.
    const halfLong = follow({ usage: usage({ write1h: 12_000, write5m: 10_000 }) });
    expect(isCold(halfLong, { nowMs: 6 * MINUTE, baseTokens: 8000 })).toBe(true);
    expect(isCold(halfLong, { nowMs: 6 * MINUTE })).toBe(false);
    const mostlyLong = follow({ usage: usage({ write1h: 18_000, write5m: 2000 }) });
    expect(isCold(mostlyLong, { nowMs: 6 * MINUTE, baseTokens: 8000 })).toBe(false);
  });

  test("nothing, for another model", () => {
    expect(isCold(short, { nowMs: 0, model: "other" })).toBe(true);
  });

  test("all, where no time was told or the clock went back", () => {
    const timeless = follow({ atMs: undefined, usage: usage({ write5m: 7 }) });
    expect([countWarmTokens(timeless, 1e15), countWarmTokens(short, -1)]).toEqual([7, 20_000]);
  });
});

test("the parts are never more than the requests told, whatever they tell", () => {
  const count = fc.nat(100_000);
  const reported = fc.record({ read: count, write5m: count, write1h: count, input: count });
  fc.assert(
    fc.property(fc.array(reported, { minLength: 1, maxLength: 8 }), (requests) => {
      const state = follow(...requests.map((counts) => ({ usage: usage(counts) })));
      const last = requests.at(-1);
      expect(state.cachedTokens).toBeCloseTo((last?.read ?? 0) + (last?.write5m ?? 0) + (last?.write1h ?? 0), 6);
      expect(Math.min(state.cached1hTokens, state.cached5mTokens)).toBeGreaterThanOrEqual(0);
      expect(advanceCacheState(JSON.parse(JSON.stringify(state)), { model: MODEL, atMs: 1, usage: usage({}) })).toEqual(
        advanceCacheState(state, { model: MODEL, atMs: 1, usage: usage({}) }),
      );
    }),
  );
});

describe("the life of system prompt and tools", () => {
  it("is an hour where the account writes for an hour anyway", () => {
    expect(isBaseWorthAnHour({ isHourWritten: true, outlived: 0 })).toBe(true);
  });

  it("is an hour elsewhere once two pauses have outlived it, and not before", () => {
    expect([0, 1, 2, 3].map((outlived) => isBaseWorthAnHour({ isHourWritten: false, outlived }))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});

const prefix: CachedPrefix = { warmTokens: 100_000, baseTokens: 20_000, reachFromTokens: 90_000, minimumTokens: 1024 };

test.each([
  ["behind everything that is cached: all of it", 120_000, 100_000],
  ["within the last blocks: up to the change", 95_000, 95_000],
  ["farther back: the system prompt alone", 89_999, 20_000],
  ["in the system prompt: up to the change", 15_000, 15_000],
  ["below the least that is cached: nothing", 900, 0],
])("a change is read %s", (_, position, resumed) => {
  expect(countResumedTokens(prefix, position)).toBe(resumed);
});

test("whoever marks the place of the change reads up to it", () => {
  expect(countResumedTokens({ ...prefix, reachFromTokens: 0 }, 50_000)).toBe(50_000);
});

test("a change farther back never leaves more to read", () => {
  const tokens = fc.nat(200_000);
  const arbitrary = fc.record({
    warmTokens: tokens,
    baseTokens: tokens,
    reachFromTokens: tokens,
    minimumTokens: tokens,
  });
  fc.assert(
    fc.property(arbitrary, tokens, tokens, (any, one, other) => {
      const [near, far] = [Math.max(one, other), Math.min(one, other)];
      expect(countResumedTokens(any, far)).toBeLessThanOrEqual(countResumedTokens(any, near));
      expect(countResumedTokens(any, near)).toBeLessThanOrEqual(any.warmTokens);
    }),
  );
});
