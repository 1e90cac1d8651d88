/** If red: a request is named by filler words in the record. */
import { expect, it } from "vitest";
import { describeSubject } from "./subject.ts";

it.each([
  ["Implement the following plan:\n\n# Plan: Caulk the hull by default\n\nSteps", "Caulk the hull by default"],
  ["# Issue #12: Tar leaks\nIt drips.", "Tar leaks"],
  ["# Plans for the mast\nOak.", "Plans for the mast"],
  ["Please can you caulk the hull, and then paint it?", "caulk the hull"],
  ["/plimsoll health", ""],
])("[R197] a request is named by what it is about: %j", (asked, title) => {
  expect(describeSubject(asked, 80)).toBe(title);
});
