/** If red: compactions that are followed by the same reads again go unnoticed. */
import { describe, expect, it } from "vitest";
import { countLoops, MOST_LOOPS } from "./count-loops.ts";

const reads = (...names: readonly string[]) => names.map((subject) => ({ tool: "Read", subject }));
const ROUND = reads("a.ts", "b.ts", "c.ts", "d.ts");

/** Rounds of the same calls, with a compaction between any two. */
function play(rounds: readonly ReturnType<typeof reads>[]): { readonly loops: readonly number[] } {
  const compactedAt: number[] = [];
  const calls = [...(rounds[0] ?? [])];
  const loops = rounds.slice(1).map((round) => {
    compactedAt.push(calls.length);
    calls.push(...round);
    return countLoops(calls, compactedAt);
  });
  return { loops };
}

describe("compactions that are followed by the same reads", () => {
  it("are counted, and a loop of five is noticed at the second", () => {
    const { loops } = play(Array(6).fill(ROUND));
    expect(loops).toEqual([1, 2, 3, 4, 5]);
    expect(loops.findIndex((count) => count >= MOST_LOOPS)).toBe(1);
  });

  it("are no loop where most of what follows is new, or where little is repeated, and new work ends a row of them", () => {
    expect(play([ROUND, reads("a.ts", "b.ts", "c.ts", "e.ts", "f.ts", "g.ts", "h.ts")]).loops).toEqual([0]);
    expect(play([ROUND, reads("a.ts", "b.ts")]).loops).toEqual([0]);
    expect(play([ROUND, ROUND, reads("x.ts", "y.ts", "z.ts"), ROUND]).loops).toEqual([1, 0, 1]);
  });

  it("are none for a test that is run again and again, nor for calls without a subject", () => {
    expect(play([reads("npm test", "a.ts"), reads(...Array(10).fill("npm test"))]).loops).toEqual([0]);
    expect(play([reads("", "", "", ""), reads("", "", "", "")]).loops).toEqual([0]);
    expect(countLoops(ROUND, [])).toBe(0);
  });
});
