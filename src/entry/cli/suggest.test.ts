/** If red: a mistyped command is not met with the one that was meant. */
import { describe, expect, it } from "vitest";
import { suggest } from "./command.ts";

const WORDS = ["now", "health", "inspect", "stats"];

describe("suggest", () => {
  it.each([
    ["heath", "health"],
    ["helth", "health"],
    ["haelth", "health"],
    ["inspetc", "inspect"],
    ["stat", "stats"],
    ["stast", "stats"],
    ["ins", "inspect"],
    ["mow", "now"],
  ])("takes %s for %s", (typed, meant) => {
    expect(suggest(typed, WORDS)).toBe(meant);
  });

  it.each(["frobnicate", "xyz", "compact", "hhhhhh"])("has no suggestion for %s", (typed) => {
    expect(suggest(typed, WORDS)).toBeUndefined();
  });

  it("prefers what needs the fewest letters changed", () => {
    expect(suggest("--jsom", ["--steps", "--json", "--jam"])).toBe("--json");
  });

  it("finds the word itself, and nothing among nothing", () => {
    expect(suggest("stats", WORDS)).toBe("stats");
    expect(suggest("stats", [])).toBeUndefined();
  });
});
