/** If red: three compactions follow one another so closely that the client ends the turn. */
import { describe, expect, it } from "vitest";
import { type Breaker, CALM, countCompaction, countRequest, isTight, shareRoom } from "./breaker.ts";

/** Compactions with so many requests between them. */
const refilled = (...distances: readonly number[]): Breaker =>
  distances.reduce((state, requests) => {
    let breaker = state;
    for (let request = 0; request < requests; request++) breaker = countRequest(breaker);
    return countCompaction(breaker);
  }, countCompaction(CALM));

describe("the client's breaker", () => {
  it("is far after a first compaction, and after those that keep their distance", () => {
    expect(isTight(refilled())).toBe(false);
    expect(isTight(refilled(3, 5, 3))).toBe(false);
  });

  it("is near after one that came within three requests, and far again after one that did not", () => {
    expect(refilled(2)).toMatchObject({ rapid: 1 });
    expect(refilled(0, 1)).toMatchObject({ rapid: 2 });
    expect(isTight(refilled(2))).toBe(true);
    expect(isTight(countRequest(countRequest(refilled(2))))).toBe(true);
    expect(isTight(countRequest(countRequest(countRequest(refilled(2)))))).toBe(false);
    expect(isTight(refilled(2, 2, 3))).toBe(false);
  });

  it("leaves each result its share of the room, and never nothing", () => {
    expect(shareRoom({ lineTokens: 67_000, baseTokens: 27_000 }, 4)).toBe(28_000);
    expect(shareRoom({ lineTokens: 20_000, baseTokens: 27_000 }, 4)).toBe(2_000);
  });
});
