/** If red: names that the work needs are crowded out of the record by passing ones. */
import { describe, expect, it } from "vitest";
import { createTermTracker, findTerms, rankTerms } from "./track-terms.ts";

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

it.each([
  [
    "names with a hump, an underscore or a digit",
    "parseLine MAX_SIZE sha256 $scope_x",
    ["parseLine", "MAX_SIZE", "sha256", "$scope_x"],
  ],
  ["numbers of four digits and more", "port 8080, 12 of 100200", ["8080", "100200"]],
  ["hashes, also those that begin with a digit", "commit 4f1e2ab on 9c0ffee1", ["4f1e2ab", "9c0ffee1"]],
  ["a name once, however often", "getUser getUser getUser", ["getUser"]],
])("finds %s", (_what, text, terms) => {
  expect([...findTerms(text)]).toEqual(terms);
});

it.each([
  ["plain words", "the quick brown fox runs"],
  ["short names", "aB x_y i18n".replace("i18n", "a1")],
  ["words set off by underscores alone", "_private __dunder__".replace("__dunder__", "_emphasis_")],
  ["sizes such as 12px and 3rem", "12px 300rem 2nd"],
  ["encoded data", `key ${"aB3".repeat(40)}`],
])("takes no %s for a name", (_what, text) => {
  expect([...findTerms(text)]).toEqual([]);
});

it("survives a run of letters that is longer than any stack", () => {
  expect([...findTerms(`parseLine ${"x".repeat(10 << 20)} MAX_SIZE`)]).toEqual(["parseLine", "MAX_SIZE"]);
});
