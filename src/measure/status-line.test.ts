/** If red: the status line is wider than its room or leaves out the level. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderStatusLine, type Status } from "./status-line.ts";

const calm: Status = {
  level: "GREEN",
  usedTokens: 70_000,
  compactionPointTokens: 167_000,
  toolCalls: 12,
  requestsToLine: undefined,
  cacheLeftMs: undefined,
  costUsd: undefined,
  foldedTokens: 0,
  limits: [],
};

function draw(some: Partial<Status>, columns?: number): string {
  const { head, rest } = renderStatusLine({ ...calm, ...some }, columns);
  return head + rest;
}

describe("the status line", () => {
  it("tells load, way to go, pace, cache, money and folds", () => {
    expect(draw({ usedTokens: 40_000, requestsToLine: 18, costUsd: 1.834 })).toBe(
      "▲ GREEN 24 % of load line · 127k to compact · ≈ 18 requests · $1.83",
    );
    expect(draw({ level: "YELLOW", usedTokens: 103_540, requestsToLine: 18, cacheLeftMs: 252_000 })).toBe(
      "▲ YELLOW 62 % of load line · 63k to compact · ≈ 18 requests · cache warm 4:12",
    );
  });

  it("takes shorter words before it leaves anything out", () => {
    const full = {
      level: "YELLOW",
      usedTokens: 126_000,
      requestsToLine: 18,
      cacheLeftMs: 252_000,
      costUsd: 1.83,
    } as const;
    expect(draw({ ...full, foldedTokens: 212_000 })).toBe(
      "▲ YELLOW 75 % of line · 41k left · ≈ 18 req · cache 4:12 · $1.83 · folded 212k",
    );
    expect(draw({ ...full, foldedTokens: 2_120_000, costUsd: 12_101.83 })).toBe(
      "▲ YELLOW 75 % of line · 41k left · ≈ 18 req · cache 4:12 · $12101.83",
    );
  });

  it("names the level at any width, and says so where no size is known", () => {
    expect(draw({ level: "RED", usedTokens: 160_000, requestsToLine: 1 }, 24)).toBe("▲ RED 96 % of line");
    expect(draw({ level: "RED", usedTokens: 160_000 }, 5)).toBe("▲ RED");
    expect(draw({ usedTokens: undefined })).toBe("▲ GREEN 12 tool calls · size not known yet");
    expect(draw({ cacheLeftMs: 0 })).toContain("cache cold");
  });

  it("is never wider than 80 columns, nor than it is told", () => {
    const amount = fc.double({ min: 0, max: 1e9, noNaN: true });
    const status = fc.record({
      level: fc.constantFrom("GREEN", "YELLOW", "ORANGE", "RED"),
      usedTokens: fc.option(amount, { nil: undefined }),
      compactionPointTokens: fc.integer({ min: 1, max: 1e6 }),
      toolCalls: fc.nat(),
      requestsToLine: fc.option(fc.nat(), { nil: undefined }),
      cacheLeftMs: fc.option(fc.nat(), { nil: undefined }),
      costUsd: fc.option(amount, { nil: undefined }),
      foldedTokens: amount,
      limits: fc.array(
        fc.record({
          name: fc.constantFrom("5 h", "7 d"),
          percent: amount,
          resetsInMs: fc.option(amount, { nil: undefined }),
          endsInMs: fc.option(amount, { nil: undefined }),
        }),
        { maxLength: 2 },
      ),
    });
    fc.assert(
      fc.property(status, fc.integer({ min: 1, max: 200 }), (drawn: Status, columns) => {
        expect(draw(drawn, columns).length).toBeLessThanOrEqual(Math.min(80, columns));
        expect(draw(drawn)).toContain(drawn.level);
      }),
    );
  });
});
