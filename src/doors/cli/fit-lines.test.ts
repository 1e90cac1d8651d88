import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitLines } from "./fit-lines.ts";

describe("a text for a person", () => {
  it("goes on below, two blanks further in, where a line is wider than the terminal", () => {
    expect(fitLines("short\n  keep the anchor chain clear of the propeller", 24)).toBe(
      "short\n  keep the anchor chain\n    clear of the\n    propeller",
    );
  });

  it("keeps a word whole that is wider by itself, so that a path can be copied", () => {
    expect(fitLines("in /a/very/long/path/to/a/file.jsonl now", 20)).toBe(
      "in\n  /a/very/long/path/to/a/file.jsonl\n  now",
    );
  });

  it("is broken between two things rather than in the middle of one", () => {
    expect(fitLines("GREEN 53k of 200k · 113k to compaction · ≈ 62 requests", 44)).toBe(
      "GREEN 53k of 200k · 113k to compaction\n  · ≈ 62 requests",
    );
  });

  it("does not count the codes of colours", () => {
    const painted = "\u001b[1mtwelve chars\u001b[0m";
    expect(fitLines(painted, 12)).toBe(painted);
  });

  it("loses no word, and makes no line wider than told that has a blank to be broken at", () => {
    const words = fc.array(fc.stringMatching(/^\w{1,12}$/), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(words, fc.integer({ min: 16, max: 100 }), (said, columns) => {
        const fitted = fitLines(said.join(" "), columns);
        expect(fitted.split(/\s+/)).toEqual(said);
        for (const line of fitted.split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
      }),
    );
  });
});
