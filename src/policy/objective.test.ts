/** If red: savings are judged in dollars for somebody whose subscription counts otherwise. */
import { describe, expect, it } from "vitest";
import { chooseObjective, chooseWeights, parseWeights } from "./objective.ts";

describe("what is to be spent as little of as possible", () => {
  const learned = { read: 0.2, write: 1, output: 4 };

  it("is dollars by the model's prices, whatever was learned", () => {
    expect([chooseWeights("dollars", undefined), chooseWeights("dollars", learned)]).toEqual([undefined, undefined]);
  });

  it("is what the person's own readings say a subscription counts, and every token alike until they do", () => {
    expect(chooseWeights("tokens", learned)).toBe(learned);
    expect(chooseWeights("tokens", undefined)).toEqual({ read: 1, write: 1, output: 1 });
  });

  it("is what an account limit counts where that limit is near and what it counts is known", () => {
    const limit = (usedPercent: number) => ({ name: "5-hour", usedPercent, resetsAtMs: undefined });
    const choose = (usedPercent: number, known?: typeof learned) =>
      chooseObjective("dollars", [limit(usedPercent)], known);
    expect([choose(90, learned), choose(10, learned), choose(90)]).toEqual(["tokens", "dollars", "dollars"]);
  });

  it("is taken from the disk only where it is sure, and nothing else that lies there", () => {
    const text = (value: unknown): string => JSON.stringify(value);
    expect(parseWeights(text({ isSure: true, weights: learned }))).toEqual(learned);
    for (const wrong of [
      "",
      "{",
      "null",
      text({ isSure: false, weights: learned }),
      text({ weights: learned }),
      text({ isSure: true, weights: { ...learned, write: 0 } }),
      text({ isSure: true, weights: { ...learned, read: -1 } }),
      text({ isSure: true, weights: { read: "1", write: 1, output: 1 } }),
    ])
      expect(parseWeights(wrong)).toBeUndefined();
  });
});
