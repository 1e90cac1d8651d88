/** If red: a conversation that is slow to plan slows down every request, or is never planned again. */
import { describe, expect, it } from "vitest";
import { isResting, prolong } from "./session-memory.ts";

describe("a rest after planning that took too long", () => {
  it("lasts a quarter of a second at first, twice as long each time in a row, and never longer than a minute", () => {
    const first = prolong(undefined, 1_000);
    expect(isResting(first, 1_249)).toBe(true);
    expect(isResting(first, 1_250)).toBe(false);
    expect(prolong(first, 5_000)).toEqual({ untilMs: 5_500, lengthMs: 500 });
    const tenth = Array.from({ length: 12 }).reduce<ReturnType<typeof prolong>>((rest) => prolong(rest, 0), first);
    expect(tenth.lengthMs).toBe(60_000);
  });

  it("ends where the clock is set back to before it began", () => {
    expect(isResting(prolong(undefined, 3_600_000), 0)).toBe(false);
  });

  it("is none where nothing took too long", () => {
    expect(isResting(undefined, 0)).toBe(false);
  });
});
