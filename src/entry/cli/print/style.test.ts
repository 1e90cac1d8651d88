/** If red: tokens and dollars are rounded wrongly on the terminal, or a table loses its columns. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryUnits } from "../../../../test/support/arbitrary-session.ts";
import { createFakeTerminal } from "../../../../test/support/fake-terminal.ts";
import { paint, paintLevel, renderPercent, renderSafely, renderTable, renderTokens, renderUsd } from "./style.ts";

const plain = createFakeTerminal();
const coloured = createFakeTerminal({ hasColour: true });

describe("colours", () => {
  it("stay away unless they are asked for", () => {
    expect(paint(plain, "red", "text")).toBe("text");
    expect(paintLevel(plain, "RED")).toBe("RED");
  });

  it("go around the text and end behind it", () => {
    expect(paint(coloured, "bold", "text")).toBe("\u001b[1mtext\u001b[0m");
    expect(paintLevel(coloured, "RED", "text")).toBe("\u001b[31mtext\u001b[0m");
  });

  it("are another one for every level", () => {
    const levels = (["GREEN", "YELLOW", "ORANGE", "RED"] as const).map((level) => paintLevel(coloured, level, ""));
    expect(new Set(levels).size).toBe(4);
  });
});

describe("numbers of tokens", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1000, "1.0k"],
    [12_345, "12.3k"],
    [99_949, "99.9k"],
    [99_950, "100k"],
    [167_000, "167k"],
    [999_499, "999k"],
    [999_500, "1.00M"],
    [1_234_567, "1.23M"],
    [7_070_000_000, "7.07G"],
    [-12_345, "-12.3k"],
    [-5.4, "-5"],
  ])("%d are shown as %s", (tokens, shown) => {
    expect(renderTokens(tokens)).toBe(shown);
  });
});

describe("dollars and shares", () => {
  it.each([
    [0, "$0.00"],
    [0.0123, "$0.0123"],
    [0.1, "$0.10"],
    [12.345, "$12.35"],
  ])("%d dollars are shown as %s", (usd, shown) => {
    expect(renderUsd(usd)).toBe(shown);
  });

  it.each([
    [0, "0.0 %"],
    [0.0567, "5.7 %"],
    [0.0994, "9.9 %"],
    [0.0996, "10 %"],
    [0.5, "50 %"],
    [-0.021, "-2.1 %"],
  ])("a share of %d is shown as %s", (share, shown) => {
    expect(renderPercent(share)).toBe(shown);
  });
});

describe("text from a transcript", () => {
  it.each([
    ["an escape", "\u001b[31mred\u001b[0m", "[31mred [0m"],
    ["a title of the window", "\u001b]0;owned\u0007title", "]0;owned title"],
    ["the one-byte form of an escape", "\u009b31mred", "31mred"],
    ["line breaks and tabs", "one\r\n\ttwo", "one two"],
    ["a rubout", "a\u007fb", "a b"],
    ["a reversed direction", "a\u202egpj.exe\u2066", "a gpj.exe"],
    ["a word of any script", " naïve 日本語 😀 ", "naïve 日本語 😀"],
  ])("is shown without %s", (_what, text, shown) => {
    expect(renderSafely(text)).toBe(shown);
  });

  it("holds no control character, whatever it held", () => {
    fc.assert(
      fc.property(arbitraryUnits(40), (text) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be gone
        expect(renderSafely(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }),
    );
  });
});

describe("a table", () => {
  it("has its first column on the left and the others on the right, without trailing blanks", () => {
    expect(
      renderTable([
        ["model", "requests", "cost"],
        ["a-long-name", "7", "$1.00"],
        ["b", "1234567890", ""],
      ]),
    ).toBe(["model          requests   cost", "a-long-name           7  $1.00", "b            1234567890"].join("\n"));
  });

  it("of nothing is nothing", () => {
    expect(renderTable([])).toBe("");
  });
});
