import { describe, expect, it } from "vitest";
import { expectProportional } from "../../../test/support/expect-proportional.ts";
import { selectMatches } from "./page-text.ts";

describe("a pattern", () => {
  it.each(["((a+))+$", "(a|a)+$", "(a?){30}b", "a*a*a*a*a*b", `${".?".repeat(26)}z`, ".*.*.*z"])(
    "that could take for ever, %s, answers at once",
    (pattern) => expectProportional(40, (length) => selectMatches(`${"a".repeat(length)}!`, pattern)),
  );

  it("finds a word far in a long line", () => {
    expect(selectMatches(`${"x ".repeat(3000)}needle`, "needle").note).toMatch(/^1 of 1/);
  });
});
