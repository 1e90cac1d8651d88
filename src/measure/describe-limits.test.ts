/** If red: a person is shown wrong account limits, or the wrong time at which they begin anew. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeLimits, drawBlocks, findOpenBlock } from "./describe-limits.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOON = Date.UTC(2026, 10, 16, 12);
const at = (hours: number, usd = 1) => ({ atMs: NOON + hours * HOUR_MS, usd, isAtLeast: false, tokens: 10 });

describe("blocks of five hours", () => {
  it("begin with the full hour of their first request and end five hours later", () => {
    const [block, ...others] = drawBlocks([at(0.5), at(3), at(4.9)]);
    expect(others).toEqual([]);
    expect(block).toMatchObject({ startMs: NOON, endMs: NOON + 5 * HOUR_MS, requests: 3, usd: 3, tokens: 30 });
  });

  it("begin anew behind their end, at the hour of the request", () => {
    expect(drawBlocks([at(0.5), at(5.2), at(20.7)]).map(({ startMs }) => (startMs - NOON) / HOUR_MS)).toEqual([
      0, 5, 20,
    ]);
  });

  it("hold every request once, in any order, and never overlap", () => {
    const hours = fc.array(fc.double({ min: 0, max: 200, noNaN: true }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(hours, (given) => {
        const blocks = drawBlocks(given.map((hour) => at(hour)));
        expect(blocks.reduce((sum, { requests }) => sum + requests, 0)).toBe(given.length);
        expect(drawBlocks([...given].reverse().map((hour) => at(hour)))).toEqual(blocks);
        for (const [index, block] of blocks.entries())
          expect(block.lastMs).toBeLessThan(blocks[index + 1]?.startMs ?? Number.POSITIVE_INFINITY);
      }),
    );
  });

  it("are open until they end", () => {
    expect(findOpenBlock([at(0)], NOON + 5 * HOUR_MS - 1)).toBeDefined();
    expect(findOpenBlock([at(0)], NOON + 5 * HOUR_MS)).toBeUndefined();
    expect(findOpenBlock([at(0)], NOON - 1)).toBeUndefined();
  });
});

describe("limits", () => {
  it("are the client's own where it tells them, with when they are used up at this pace", () => {
    const reported = [
      { name: "five_hour", usedPercent: 60, resetsAtMs: NOON + 3 * HOUR_MS },
      { name: "seven_day", usedPercent: 10, resetsAtMs: NOON + 2 * DAY_MS },
    ];
    const [block, week] = describeLimits(reported, [at(-1)], NOON);
    // 60 % in two hours: the rest in 80 minutes.
    expect(block).toMatchObject({ source: "client", usedPercent: 60, requests: 1, endsAtMs: NOON + (4 / 3) * HOUR_MS });
    expect(week).toMatchObject({ name: "seven_day", usedPercent: 10, endsAtMs: undefined });
  });

  it("are told by what is recorded where the client says nothing, or spoke of a period that is over", () => {
    const over = [{ name: "five_hour", usedPercent: 99, resetsAtMs: NOON - 1 }];
    expect(describeLimits(over, [at(-1), at(-100)], NOON)).toEqual([
      {
        name: "five_hour",
        source: "blocks",
        usedPercent: undefined,
        usd: 1,
        isAtLeast: false,
        requests: 1,
        resetsAtMs: NOON + 4 * HOUR_MS,
        endsAtMs: undefined,
      },
      {
        name: "seven_day",
        source: "blocks",
        usedPercent: undefined,
        usd: 2,
        isAtLeast: false,
        requests: 2,
        resetsAtMs: undefined,
        endsAtMs: undefined,
      },
    ]);
  });

  it("are nothing where nobody worked", () => {
    expect(describeLimits([], [at(-1000)], NOON)).toEqual([]);
  });
});
