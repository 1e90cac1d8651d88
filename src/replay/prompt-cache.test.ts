/** If red: replay reads from a cache that had expired, or pays again for one that was warm. */
import { describe, expect, it } from "vitest";
import { createPromptCache, type SimulatedRequest } from "./prompt-cache.ts";

const BASE = 2000;
const MINUTE_MS = 60_000;

/** Blocks of 100 tokens each, of a model whose least cacheable prefix is 1024 tokens. */
function request(blocks: number, more: Partial<SimulatedRequest> = {}): SimulatedRequest {
  return {
    atMs: 0,
    model: "claude-sonnet-4-5",
    baseTokens: BASE,
    blocks: Array.from({ length: blocks }, () => ({})),
    tokens: new Array<number>(blocks).fill(100),
    unchanged: 0,
    share1h: 0,
    ...more,
  };
}

describe("the prompt cache", () => {
  it("writes all of a first request, and reads it with the next", () => {
    const cache = createPromptCache();
    expect(cache.send(request(3))).toEqual({
      cacheReadTokens: 0,
      cacheWrite5mTokens: 2300,
      cacheWrite1hTokens: 0,
      isBust: false,
    });
    const next = cache.send(request(5, { atMs: MINUTE_MS, unchanged: 3 }));
    expect(next).toEqual({ cacheReadTokens: 2300, cacheWrite5mTokens: 200, cacheWrite1hTokens: 0, isBust: false });
  });

  it("forgets five minutes after the last use, and not a moment before", () => {
    const lastMoment = createPromptCache();
    lastMoment.send(request(3));
    expect(lastMoment.isWarm(5 * MINUTE_MS, "claude-sonnet-4-5")).toBe(true);
    expect(lastMoment.send(request(3, { atMs: 5 * MINUTE_MS, unchanged: 3 })).cacheReadTokens).toBe(2300);
    const tooLate = createPromptCache();
    tooLate.send(request(3));
    expect(tooLate.isWarm(5 * MINUTE_MS + 1, "claude-sonnet-4-5")).toBe(false);
    const late = tooLate.send(request(3, { atMs: 5 * MINUTE_MS + 1, unchanged: 3 }));
    expect(late).toEqual({ cacheReadTokens: 0, cacheWrite5mTokens: 2300, cacheWrite1hTokens: 0, isBust: false });
  });

  it("lives as long again from every use", () => {
    const cache = createPromptCache();
    cache.send(request(3));
    cache.send(request(3, { atMs: 4 * MINUTE_MS, unchanged: 3 }));
    expect(cache.send(request(3, { atMs: 8 * MINUTE_MS, unchanged: 3 })).cacheReadTokens).toBe(2300);
  });

  it("keeps for an hour what is mostly written for an hour", () => {
    const cache = createPromptCache();
    cache.send(request(3, { share1h: 1 }));
    expect(cache.send(request(3, { atMs: 60 * MINUTE_MS, unchanged: 3, share1h: 1 })).cacheReadTokens).toBe(2300);
    expect(cache.send(request(3, { atMs: 121 * MINUTE_MS, unchanged: 3, share1h: 1 })).cacheReadTokens).toBe(0);
  });

  it("finds an entry twenty blocks before the mark, and the base alone from farther away", () => {
    const near = createPromptCache();
    near.send(request(3));
    expect(near.send(request(23, { unchanged: 3 })).cacheReadTokens).toBe(2300);
    const far = createPromptCache();
    far.send(request(3));
    expect(far.send(request(24, { unchanged: 3 })).cacheReadTokens).toBe(BASE);
  });

  it("reads the base alone behind a change, and calls it a bust", () => {
    const cache = createPromptCache();
    cache.send(request(3));
    const changed = cache.send(request(3, { unchanged: 2 }));
    expect(changed).toEqual({ cacheReadTokens: BASE, cacheWrite5mTokens: 300, cacheWrite1hTokens: 0, isBust: true });
  });

  it("reads up to an earlier request's end when the change stands behind it", () => {
    const cache = createPromptCache();
    cache.send(request(3));
    cache.send(request(6, { unchanged: 3 }));
    const changed = cache.send(request(6, { unchanged: 4 }));
    expect(changed).toEqual({ cacheReadTokens: 2300, cacheWrite5mTokens: 300, cacheWrite1hTokens: 0, isBust: false });
  });

  it("reaches a far change with a mark at the edit", () => {
    const use = (marks: "client" | "atEdit"): number => {
      const cache = createPromptCache({ marks });
      cache.send(request(3));
      cache.send(request(40, { unchanged: 3 }));
      return cache.send(request(40, { unchanged: 3 })).cacheReadTokens;
    };
    expect(use("client")).toBe(BASE);
    expect(use("atEdit")).toBe(2300);
  });

  it("caches no request below the model's minimum, and no base below it either", () => {
    const small = createPromptCache();
    const tiny = { baseTokens: 500, unchanged: 5 };
    expect(small.send(request(5, tiny)).cacheWrite5mTokens).toBe(1000);
    expect(small.send(request(5, tiny)).cacheReadTokens).toBe(0);
    const smallBase = createPromptCache();
    smallBase.send(request(10, { baseTokens: 500 }));
    expect(smallBase.send(request(11, { baseTokens: 500, unchanged: 10 })).cacheReadTokens).toBe(1500);
    expect(smallBase.send(request(11, { baseTokens: 500, unchanged: 1 })).cacheReadTokens).toBe(0);
  });

  it("shares nothing between models", () => {
    const cache = createPromptCache();
    cache.send(request(3));
    expect(cache.isWarm(0, "claude-opus-4-6")).toBe(false);
    const other = cache.send(request(3, { model: "claude-opus-4-6", unchanged: 3 }));
    expect(other).toMatchObject({ cacheReadTokens: 0, isBust: false });
  });

  it.each([
    ["5m", { cacheReadTokens: 0, cacheWrite1hTokens: 0 }, [false, false]],
    ["1h", { cacheReadTokens: 2300, cacheWrite1hTokens: 100 }, [true, true]],
    ["1h+5m", { cacheReadTokens: BASE, cacheWrite1hTokens: 0 }, [false, true]],
  ] as const)(
    "set to %s in the client, after six minutes reads what is alive, whatever was recorded",
    (life, use, warm) => {
      for (const share1h of [0, 1]) {
        const cache = createPromptCache({ life });
        const first = cache.send(request(3, { share1h }));
        expect(first.cacheWrite1hTokens).toBe(life === "5m" ? 0 : life === "1h" ? 2300 : BASE);
        const at = 6 * MINUTE_MS;
        expect([cache.isWarm(at, "claude-sonnet-4-5"), cache.isBaseWarm(at, "claude-sonnet-4-5")]).toEqual(warm);
        expect(cache.send(request(4, { atMs: at, unchanged: 3, share1h }))).toMatchObject(use);
      }
    },
  );

  describe("with the life time split", () => {
    const split = () => createPromptCache({ life: "split" });

    it("writes the base for an hour and the conversation for five minutes, where the account writes for an hour", () => {
      const cache = split();
      expect(cache.send(request(3, { share1h: 1 }))).toMatchObject({
        cacheWrite5mTokens: 300,
        cacheWrite1hTokens: BASE,
      });
      const late = cache.send(request(4, { atMs: 6 * MINUTE_MS, unchanged: 3, share1h: 1 }));
      expect(late).toMatchObject({ cacheReadTokens: BASE, cacheWrite5mTokens: 400, cacheWrite1hTokens: 0 });
    });

    it("says that the conversation is cold while the base is warm, and that joins are written for five minutes", () => {
      const cache = split();
      cache.send(request(3, { share1h: 1 }));
      const at = 6 * MINUTE_MS;
      expect([cache.isWarm(at, "claude-sonnet-4-5"), cache.isBaseWarm(at, "claude-sonnet-4-5")]).toEqual([false, true]);
      expect([cache.shareOf1h(1), createPromptCache().shareOf1h(1)]).toEqual([0, 1]);
    });

    it("writes the base for an hour elsewhere only once two pauses have outlived it", () => {
      const cache = split();
      const bases = [0, 6, 12, 18, 24].map((minutes) => {
        const { cacheReadTokens, cacheWrite1hTokens } = cache.send(
          request(3, { atMs: minutes * MINUTE_MS, unchanged: 3 }),
        );
        return [cacheReadTokens, cacheWrite1hTokens];
      });
      expect(bases).toEqual([
        [0, 0],
        [0, 0],
        [0, BASE],
        [BASE, 0],
        [BASE, 0],
      ]);
    });
  });
});
