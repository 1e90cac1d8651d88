/** If red: a result that arrives is folded above another size than the policy says. */
import { describe, expect, it } from "vitest";
import { chooseBirthFold, resultArrived, scaleBirthFold, tightenFold } from "./result-arrived.ts";

const characters = (count: number): string => "x".repeat(count);
const lines = (count: number): string => "planks 77 of the deck\n".repeat(count);

describe("a result that arrived", () => {
  it.each([
    ["thrifty", 4_000, 1_200],
    ["balanced", 4_000, 1_500],
    ["cautious", 30_000, 4_000],
  ] as const)(
    "is folded by %s above %d characters, to %d, where the rest is collapsed later",
    (policy, limit, budget) => {
      const rule = chooseBirthFold(policy, "collapsing");
      expect(resultArrived({ text: characters(limit), kind: "run" }, rule)).toBeUndefined();
      expect(resultArrived({ text: characters(limit + 1), kind: "run" }, rule)).toEqual({ budget });
      expect(resultArrived({ text: characters(100_000), kind: "read" }, rule)).toBeUndefined();
    },
  );

  it("is folded at a low line whatever brought it, from a tenth of a character for each token of the line", () => {
    const rule = { ...chooseBirthFold("balanced", "collapsing"), ...scaleBirthFold("balanced", 60_000) };
    const isFolded = (kind: string, count: number): boolean =>
      resultArrived({ text: characters(count), kind }, rule) !== undefined;
    for (const kind of ["read", "delegate", "other"])
      expect([isFolded(kind, 6_000), isFolded(kind, 6_001)], kind).toEqual([false, true]);
    expect([isFolded("run", 4_000), isFolded("run", 4_001)]).toEqual([false, true]);
    // Never below the length that is documented.
    const low = { ...rule, ...scaleBirthFold("balanced", 5_000) };
    expect(resultArrived({ text: characters(4_000), kind: "read" }, low)).toBeUndefined();
    expect(resultArrived({ text: characters(4_001), kind: "read" }, low)).toBeDefined();
  });

  it("[R55] [R56] is folded above 4,000 characters or 120 lines, to 1,200, where nothing else can be done about it", () => {
    const rule = chooseBirthFold("balanced", "foldOnly");
    const isFolded = (text: string): boolean => resultArrived({ text, kind: "run" }, rule)?.budget === 1_200;
    expect([characters(4_000), characters(4_001), lines(120), lines(121)].map(isFolded)).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect(isFolded("x\n".repeat(1_000))).toBe(false);
  });

  it.each(["read", "delegate"])(
    "stays whole up to 20,000 characters where %s brought it, however many lines",
    (kind) => {
      const rule = chooseBirthFold("balanced", "foldOnly");
      expect(resultArrived({ text: "x\n".repeat(10_000), kind }, rule)).toBeUndefined();
      expect(resultArrived({ text: characters(20_001), kind }, rule)).toBeDefined();
    },
  );

  it("is folded whatever brought it, where the window is tight", () => {
    const rule = tightenFold(chooseBirthFold("balanced", "collapsing"), 3_000);
    expect(resultArrived({ text: characters(3_001), kind: "read" }, rule)).toEqual({ budget: 1_500 });
    expect(resultArrived({ text: characters(3_000), kind: "read" }, rule)).toBeUndefined();
  });
});
