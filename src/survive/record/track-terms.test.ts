import { describe, expect, it } from "vitest";
import { createTermTracker, rankTerms } from "./track-terms.ts";

describe("names", () => {
  it("that were asked for, changed or said come before those that went by in a result", () => {
    const terms = createTermTracker();
    terms.note("wentBy1", "results", 5);
    terms.note("wasSaid1", "texts", 5);
    terms.note("wasChanged1", "edits", 5);
    expect(rankTerms(terms.state(), 5)).toEqual(["wasChanged1", "wasSaid1", "wentBy1"]);
  });

  it("that were met lately come before older ones, and often before once", () => {
    const terms = createTermTracker();
    terms.note("metLongAgo1", "texts", 1);
    terms.note("metOnce1", "texts", 90);
    for (const request of [88, 89, 90]) terms.note("metOften1", "texts", request);
    expect(rankTerms(terms.state(), 90)).toEqual(["metOften1", "metOnce1", "metLongAgo1"]);
  });

  it("rank alike whatever order they were met in", () => {
    const forth = createTermTracker();
    const back = createTermTracker();
    for (const term of ["alpha_1", "beta_2", "gamma_3"]) forth.note(term, "results", 1);
    for (const term of ["gamma_3", "beta_2", "alpha_1"]) back.note(term, "results", 1);
    expect(rankTerms(forth.state(), 1)).toEqual(rankTerms(back.state(), 1));
  });

  it("are counted on from a saved state", () => {
    const whole = createTermTracker();
    const first = createTermTracker();
    for (const tracker of [whole, first]) tracker.note("parseLine parseLine", "edits", 1);
    const second = createTermTracker(first.state());
    for (const tracker of [whole, second]) tracker.note("parseLine renderLine", "errors", 2);
    expect(second.state()).toEqual(whole.state());
    expect(first.state()).toEqual([{ term: "parseLine", lastRequest: 1, counts: [0, 1, 0, 0, 0, 0] }]);
  });

  it("are forgotten, the longest unmet first, when there are too many", () => {
    const terms = createTermTracker();
    terms.note("kept_1 lost_1", "texts", 1);
    terms.note("kept_1", "texts", 2);
    terms.note(Array.from({ length: 19_999 }, (_, index) => `name_${index}`).join(" "), "results", 3);
    const known = new Set(terms.state().map(({ term }) => term));
    expect(known.size).toBe(20_000);
    expect([known.has("kept_1"), known.has("lost_1")]).toEqual([true, false]);
  });
});
