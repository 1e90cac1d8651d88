import { expect, it } from "vitest";
import { findTerms } from "./find-terms.ts";

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
