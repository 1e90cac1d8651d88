/** If red: a level begins at another share or number of calls than is documented. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyCalls, classifyMeasured, classifyPercent, type Level } from "./level.ts";

describe("by number of tool calls", () => {
  it.each([
    [0, "GREEN"],
    [49, "GREEN"],
    [50, "YELLOW"],
    [79, "YELLOW"],
    [80, "ORANGE"],
    [120, "ORANGE"],
    [121, "RED"],
  ] as const)("[R14] %i calls are %s", (calls, level) => {
    expect(classifyCalls(calls, false)).toBe(level);
  });

  it.each([
    [0, "GREEN"],
    [39, "GREEN"],
    [40, "YELLOW"],
    [64, "YELLOW"],
    [65, "ORANGE"],
    [100, "ORANGE"],
    [101, "RED"],
  ] as const)("[R16] %i calls are %s in a session of large files", (calls, level) => {
    expect(classifyCalls(calls, true)).toBe(level);
  });
});

describe("by percent of the window", () => {
  it.each([
    [0, "GREEN"],
    [49.9, "GREEN"],
    [50, "YELLOW"],
    [69.9, "YELLOW"],
    [70, "ORANGE"],
    [85, "ORANGE"],
    [85.1, "RED"],
    [100, "RED"],
  ] as const)("[R20] %f %% are %s", (percent, level) => {
    expect(classifyPercent(percent)).toBe(level);
  });

  /** The table as it is printed the first time: `<50 %`, `50-70`, `70-85`, `>85`. */
  const openTable = (percent: number): readonly Level[] => [
    ...(percent < 50 ? (["GREEN"] as const) : []),
    ...(percent >= 50 && percent <= 70 ? (["YELLOW"] as const) : []),
    ...(percent >= 70 && percent <= 85 ? (["ORANGE"] as const) : []),
    ...(percent > 85 ? (["RED"] as const) : []),
  ];

  /** The same printed the second time: `0-50`, `50-70`, `70-85`, `85 %+`. */
  const closedTable = (percent: number): readonly Level[] => [
    ...(percent <= 50 ? (["GREEN"] as const) : []),
    ...(percent >= 50 && percent <= 70 ? (["YELLOW"] as const) : []),
    ...(percent >= 70 && percent <= 85 ? (["ORANGE"] as const) : []),
    ...(percent >= 85 ? (["RED"] as const) : []),
  ];

  it("[R24] gives the level that both printed tables give, at every tenth of a percent", () => {
    for (let tenths = 0; tenths <= 1000; tenths++) {
      const level = classifyPercent(tenths / 10);
      expect(openTable(tenths / 10), `${tenths / 10} % in the open table`).toContain(level);
      expect(closedTable(tenths / 10), `${tenths / 10} % in the closed table`).toContain(level);
    }
  });
});

describe("by share of the compaction point", () => {
  it.each([
    [167_000, 100_199, "GREEN"],
    [167_000, 100_200, "YELLOW"],
    [167_000, 130_259, "YELLOW"],
    [167_000, 130_260, "ORANGE"],
    [167_000, 150_299, "ORANGE"],
    [167_000, 150_300, "RED"],
    [967_000, 580_199, "GREEN"],
    [967_000, 580_200, "YELLOW"],
    [967_000, 754_260, "ORANGE"],
    [967_000, 870_300, "RED"],
  ] as const)("with the line at %i, %i tokens are %s", (point, used, level) => {
    expect(classifyMeasured(used, point)).toBe(level);
  });

  it("turns at exactly 60, 78 and 90 % whatever the point, and not a token earlier", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), (hundredths) => {
        const point = hundredths * 100;
        const turns = [60, 78, 90].map((percent) => [
          classifyMeasured(hundredths * percent - 1, point),
          classifyMeasured(hundredths * percent, point),
        ]);
        expect(turns).toEqual([
          ["GREEN", "YELLOW"],
          ["YELLOW", "ORANGE"],
          ["ORANGE", "RED"],
        ]);
      }),
    );
  });

  it("stands at 50, 65 and 75 % of a window of 200,000", () => {
    const share = (percent: number): Level => classifyMeasured(percent * 2000, 167_000);
    expect([50, 51, 65, 66, 75, 76].map(share)).toEqual(["GREEN", "YELLOW", "YELLOW", "ORANGE", "ORANGE", "RED"]);
  });
});
