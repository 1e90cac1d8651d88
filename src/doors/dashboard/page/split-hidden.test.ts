import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderVisible, splitHidden } from "./split-hidden.ts";

describe("splitHidden", () => {
  it.each([
    ["plain words", "plain words"],
    ["a\tb\nc", "a b c"],
    ["\u001b[31mred", "ESC[31mred"],
    ["\u0000\u0007\u007f\u009b", "NULBELDELU+009B"],
    ["gpj\u202eexe\u2066", "gpjU+202EexeU+2066"],
    ["a\u200bb\ufeff", "aU+200BbU+FEFF"],
    ["日本 é 🚢", "日本 é 🚢"],
  ])("tells %j as %j", (text, visible) => {
    expect(renderVisible(text)).toBe(visible);
  });

  it("takes a carriage return before a line feed for a line end, and any other for a control", () => {
    expect(splitHidden("a\r\nb\rc")).toEqual([{ text: "a" }, { text: "\nb" }, { hidden: "CR" }, { text: "c" }]);
  });

  it("leaves nothing hidden, and loses nothing that is seen", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const pieces = splitHidden(text);
        const seen = pieces.flatMap((piece) => ("text" in piece ? [piece.text] : [])).join("");
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be left
        expect(seen).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/);
        expect(text.length - seen.length).toBeGreaterThanOrEqual(pieces.filter((piece) => "hidden" in piece).length);
      }),
    );
  });
});
