/** If red: the place where the client compacts is wrong, and so is every level that is shown. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideModelWindow, type ModelWindow } from "../models/find-model.ts";
import { decideCompactionPoint } from "./compaction-point.ts";

const small = decideModelWindow("claude-sonnet-4-6");
const large = decideModelWindow("claude-opus-5");

describe("without settings or history", () => {
  it("lies at the window less what is reserved for the answer and for safety", () => {
    expect(decideCompactionPoint(small)).toEqual({ tokens: 167_000, source: "formula" });
    expect(decideCompactionPoint(large)).toEqual({ tokens: 967_000, source: "formula" });
  });

  it("reserves no more for the answer than the model can give", () => {
    const window: ModelWindow = { windowTokens: 200_000, maxOutputTokens: 8192, standing: "table" };
    expect(decideCompactionPoint(window).tokens).toBe(200_000 - 8192 - 13_000);
  });
});

describe("with settings", () => {
  it("takes a configured window for the window", () => {
    expect(decideCompactionPoint(large, { windowTokens: 200_000 })).toEqual({ tokens: 167_000, source: "setting" });
    expect(decideCompactionPoint(large, { windowTokens: 120_000 })).toEqual({ tokens: 87_000, source: "setting" });
  });

  it("takes no less than 100,000, as the client does", () => {
    for (const windowTokens of [1, 50_000, 99_999, 100_000])
      expect(decideCompactionPoint(large, { windowTokens })).toEqual({ tokens: 67_000, source: "setting" });
    expect(decideCompactionPoint(large, { windowTokens: 100_001 }).tokens).toBe(67_001);
  });

  it("takes no more than the model's own window", () => {
    expect(decideCompactionPoint(small, { windowTokens: 500_000 })).toEqual({ tokens: 167_000, source: "setting" });
  });

  it("takes a percentage of what is left for the conversation, but never a later point than without", () => {
    const at = (percent: number): number => decideCompactionPoint(large, { windowTokens: 200_000, percent }).tokens;
    expect(at(50)).toBe(90_000);
    expect(at(33.3333)).toBe(59_999);
    expect(at(92)).toBe(165_600);
    expect(at(93)).toBe(167_000);
    expect(at(100)).toBe(167_000);
  });

  it("heeds a percentage only next to a configured window, as the client does", () => {
    expect(decideCompactionPoint(small, { percent: 50 })).toEqual({ tokens: 167_000, source: "formula" });
  });

  it("lets settings speak before history", () => {
    expect(decideCompactionPoint(small, { windowTokens: 200_000 }, [155_000])).toEqual({
      tokens: 167_000,
      source: "setting",
    });
  });
});

describe("with a history of automatic compactions", () => {
  it("takes the middle of the sizes at which the client compacted", () => {
    expect(decideCompactionPoint(small, {}, [155_000])).toEqual({ tokens: 155_000, source: "learned" });
    expect(decideCompactionPoint(small, {}, [156_000, 101_000, 155_000])).toEqual({
      tokens: 155_000,
      source: "learned",
    });
  });

  it("does not believe what a small window says of a large one, nor the other way round", () => {
    expect(decideCompactionPoint(large, {}, [155_000, 167_000])).toEqual({ tokens: 967_000, source: "formula" });
    expect(decideCompactionPoint(small, {}, [967_000])).toEqual({ tokens: 167_000, source: "formula" });
    expect(decideCompactionPoint(large, {}, [155_000, 998_659])).toEqual({ tokens: 998_659, source: "learned" });
  });

  it("believes only what lies above half of the window and within it", () => {
    expect(decideCompactionPoint(small, {}, [100_000]).source).toBe("formula");
    expect(decideCompactionPoint(small, {}, [100_001])).toEqual({ tokens: 100_001, source: "learned" });
    expect(decideCompactionPoint(small, {}, [200_000])).toEqual({ tokens: 200_000, source: "learned" });
    expect(decideCompactionPoint(small, {}, [200_001]).source).toBe("formula");
  });
});

it("always lies within the window and above zero", () => {
  const windows = fc.constantFrom(small, large, decideModelWindow("claude-3-5-sonnet"), decideModelWindow("unknown"));
  const settings = fc.record(
    { windowTokens: fc.integer({ min: 1, max: 2_000_000 }), percent: fc.integer({ min: 1, max: 200 }) },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(windows, settings, fc.array(fc.nat(2_000_000)), (window, chosen, history) => {
      const { tokens } = decideCompactionPoint(window, chosen, history);
      expect(tokens).toBeGreaterThan(0);
      expect(tokens).toBeLessThanOrEqual(window.windowTokens);
    }),
  );
});

describe("a line of the person's own", () => {
  it("is the point in any window, as long as it is nearer than the client's", () => {
    expect(decideCompactionPoint(large, { lineTokens: 120_000 })).toEqual({ tokens: 120_000, source: "setting" });
    expect(decideCompactionPoint(large, { lineTokens: 120_000 }, [700_000]).tokens).toBe(120_000);
    expect(decideCompactionPoint(large, { lineTokens: 990_000 })).toEqual(decideCompactionPoint(large));
    expect(decideCompactionPoint(large, { windowTokens: 100_000, lineTokens: 90_000 }).tokens).toBe(67_000);
  });
});
