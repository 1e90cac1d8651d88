import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLine } from "./parse-line.ts";

describe("a line of one's own", () => {
  it.each([
    [120_000, 120_000],
    ["120000", 120_000],
    ["120k", 120_000],
    [" 62.5 K ", 62_500],
    ["0.4M", 400_000],
  ])("reads %j as %i tokens", (written, tokens) => {
    expect(parseLine(written)).toBe(tokens);
  });

  it.each([
    [true],
    ["much"],
    ["-120k"],
    ["1e6"],
    ["120kk"],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [{}],
    [[120_000]],
  ])("does not take %j", (written) => {
    expect(parseLine(written)).toContain("write a number of tokens");
  });

  it.each([0, -5, 100, "12k", 39_999])("refuses %j: so little could never be kept", (written) => {
    expect(parseLine(written)).toMatch(/40000 or more|write a number/);
  });

  it("answers a number of tokens that can be kept, or words, whatever is written", () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.string()), (written) => {
        const line = parseLine(written);
        expect(typeof line === "string" || (Number.isInteger(line) && line >= 40_000)).toBe(true);
      }),
    );
  });
});
