/** If red: the interval around a replay's result is too narrow or changes from run to run. */
import { describe, expect, it } from "vitest";
import { drawResamples, findInterval } from "./compare-sessions.ts";

describe("resamples", () => {
  it("draw as many repositories as there are, the same ones every time", () => {
    const draws = drawResamples(["a", "b", "c", "d", "e", "f", "g"]);
    expect(draws).toHaveLength(1000);
    expect(draws.every((times) => times.reduce((sum, often) => sum + often, 0) === 7)).toBe(true);
    expect(drawResamples(["a", "b", "c", "d", "e", "f", "g"])).toEqual(draws);
    expect(new Set(draws.map((times) => times.join())).size).toBeGreaterThan(500);
  });

  it("draw the sessions of one repository together", () => {
    for (const [first, other, second] of drawResamples(["a", "b", "a"])) {
      expect(first).toBe(second);
      expect((first ?? 0) + (other ?? 0)).toBe(2);
    }
  });

  it("are none of a single repository: nothing is known of how others differ", () => {
    expect(drawResamples(["a", "a", "a"])).toEqual([]);
    expect(drawResamples([])).toEqual([]);
  });

  it("draw every repository about as often as any other", () => {
    const total = [0, 0, 0, 0];
    for (const times of drawResamples(["a", "b", "c", "d"]))
      for (const [index, often] of times.entries()) total[index] = (total[index] ?? 0) + often;
    for (const often of total) expect(Math.abs(often - 1000)).toBeLessThan(120);
  });

  it("give an interval that leaves a twentieth on each side", () => {
    const values = Array.from({ length: 100 }, (_, index) => 99 - index);
    expect(findInterval(values)).toEqual({ low: 5, high: 95 });
  });

  it("give none where most of them could not tell", () => {
    expect(findInterval([1, undefined, undefined])).toBeUndefined();
    expect(findInterval([])).toBeUndefined();
    expect(findInterval([3, undefined])).toEqual({ low: 3, high: 3 });
  });
});
